// Revocation, with all that will stop working.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '../../api/contract.ts';
import { listKeys, revokeKey } from '../../api/keys.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toasts.ts';
import { REVOKE } from '../../text/keys.ts';
import { PARTS } from '../../text/parts.ts';

export function RevokeKey({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
  const client = useQueryClient();
  const ends = useQuery({ queryKey: ['keys', 'ends', key.id], queryFn: () => listKeys(key.id) });
  const revoking = useMutation({
    mutationFn: () => revokeKey(key.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['keys'] });
      showToast(REVOKE.done(key.name));
      onClose();
    },
  });
  return (
    <Dialog
      title={REVOKE.title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {PARTS.cancel}
          </button>
          <button
            type="button"
            className="button danger"
            disabled={revoking.isPending || ends.isPending}
            onClick={() => revoking.mutate()}
          >
            {REVOKE.submit}
          </button>
        </>
      }
    >
      <p>
        <strong>
          <HostileText text={key.name} />
        </strong>{' '}
        <code>
          {key.prefix}…{key.lastFour}
        </code>
      </p>
      <p>{REVOKE.explain}</p>
      <p>
        {key.lastUsedAt === undefined ? (
          REVOKE.neverUsed
        ) : (
          <>
            {REVOKE.lastUsed} <Time at={key.lastUsedAt} />.
          </>
        )}
      </p>
      {ends.isPending && <p className="soft">{PARTS.loading}</p>}
      {ends.isError && <ErrorState error={ends.error} />}
      {ends.data && <Others keys={ends.data.filter(({ id }) => id !== key.id)} />}
      {revoking.isError && <ErrorState error={revoking.error} />}
    </Dialog>
  );
}

function Others({ keys }: { readonly keys: readonly ApiKey[] }) {
  if (keys.length === 0) return <p>{REVOKE.alone}</p>;
  return (
    <>
      <p>{REVOKE.others(keys.length)}</p>
      <ul className="keys-others">
        {keys.map(({ id, name, lastUsedAt }) => (
          <li key={id}>
            <HostileText text={name} limit={60} />{' '}
            <span className="soft">{REVOKE.lastUsed.toLowerCase()}</span> <Time at={lastUsedAt} />
          </li>
        ))}
      </ul>
    </>
  );
}
