// Markings as numbers: every driver keeps them so.

import { numberOf, TLP_MARKINGS, type TlpMarking } from '../../domain/vocabulary.ts';

/** The number that is kept. A missing marking counts as RED, so that nothing is shown by oversight. */
export function markingNumber(marking: TlpMarking): number {
  return numberOf(TLP_MARKINGS, marking === 'UNSPECIFIED' ? 'RED' : marking);
}
