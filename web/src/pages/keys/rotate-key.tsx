// Rotation: a new key takes the place of the old one, which works a little longer.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ApiKey, RotateApiKeyResponse } from '../../api/contract.ts';
import { rotateKey } from '../../api/keys.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { ROTATE } from '../../text/keys.ts';
import { PARTS } from '../../text/parts.ts';
import { ShownKey } from './shown-key.tsx';

export function RotateKey({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
  const client = useQueryClient();
  const [requestId] = useState(() => crypto.randomUUID());
  const [overlap, setOverlap] = useState<number>(ROTATE.overlaps[0]?.seconds ?? 0);
  const rotating = useMutation<RotateApiKeyResponse>({
    mutationFn: () => rotateKey(key.id, overlap, requestId),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  const id = useId();
  if (rotating.data !== undefined) return <ShownKey made={rotating.data} onClose={onClose} />;
  return (
    <Dialog
      title={ROTATE.title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {PARTS.cancel}
          </button>
          <button
            type="button"
            className="button main"
            disabled={rotating.isPending}
            onClick={() => rotating.mutate()}
          >
            {ROTATE.submit}
          </button>
        </>
      }
    >
      <p>
        <strong>
          <HostileText text={key.name} />
        </strong>
      </p>
      <p>{ROTATE.explain}</p>
      <div className="field">
        <label htmlFor={id}>{ROTATE.overlap}</label>
        <select id={id} value={overlap} onChange={(event) => setOverlap(Number(event.target.value))}>
          {ROTATE.overlaps.map(({ text, seconds }) => (
            <option key={seconds} value={seconds}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {rotating.isError && <ErrorState error={rotating.error} />}
    </Dialog>
  );
}
