// A marking by its name in the contract: the pages know no other names.

import type { TlpMarking } from '../../domain/vocabulary.ts';

export function markingInContract(marking: TlpMarking): `TLP_MARKING_${TlpMarking}` {
  return `TLP_MARKING_${marking}`;
}
