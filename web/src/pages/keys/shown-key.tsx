// A new key, shown once: the dialog stays until the person says that the key is stored.

import type { ApiKey } from '../../api/contract.ts';
import { ClientSetup } from '../../parts/client-setup.tsx';
import { Code } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { SHOWN_KEY } from '../../text/keys.ts';

interface Props {
  readonly made: { readonly apiKey?: ApiKey; readonly plaintext: string };
  readonly onClose: () => void;
}

export function ShownKey({ made: { apiKey, plaintext }, onClose }: Props) {
  return (
    <Dialog
      title={SHOWN_KEY.title}
      onClose={onClose}
      wide
      sticky
      actions={
        <button type="button" className="button main" onClick={onClose}>
          {SHOWN_KEY.stored}
        </button>
      }
    >
      <p>
        {apiKey && (
          <strong>
            <HostileText text={apiKey.name} />{' '}
          </strong>
        )}
        {SHOWN_KEY.once}
      </p>
      <Code label={SHOWN_KEY.label} text={plaintext} />
      <h3>{SHOWN_KEY.setup}</h3>
      <ClientSetup plaintext={plaintext} kind={apiKey?.sensor ? 'sensor' : 'client'} />
    </Dialog>
  );
}
