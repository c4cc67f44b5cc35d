// How a program uses a key that it already has.

import type { ApiKey } from '../../api/contract.ts';
import { ClientSetup } from '../../parts/client-setup.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { KEYS } from '../../text/keys.ts';

export function KeySetup({
  of: { name, sensor },
  onClose,
}: {
  readonly of: ApiKey;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`${KEYS.setup}: ${name}`} onClose={onClose} wide>
      <ClientSetup kind={sensor ? 'sensor' : 'client'} />
    </Dialog>
  );
}
