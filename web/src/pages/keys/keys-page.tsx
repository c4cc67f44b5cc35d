// API keys of the account: what each may do and does, and how it is made, rotated and revoked.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../api/contract.ts';
import { listKeys } from '../../api/keys.ts';
import { accountUse, type CredentialUse } from '../../api/usage.ts';
import { useMay } from '../../app/session.tsx';
import { useNow } from '../../parts/clock.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { KEYS } from '../../text/keys.ts';
import { PARTS } from '../../text/parts.ts';
import { TITLES } from '../../text/titles.ts';
import { EndingSoon } from './ending-soon.tsx';
import { KeySetup } from './key-setup.tsx';
import { endsSoon, stateOf } from './key-state.ts';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import './keys.css';

/** The dialog that is open. */
type Act = 'new' | { readonly act: 'rotate' | 'revoke' | 'setup'; readonly key: ApiKey };

const USE_MS = 30 * 86_400_000;

export function KeysPage() {
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => listKeys() });
  const mayReadUse = useMay('usage:read');
  const use = useQuery({
    queryKey: ['keys', 'use'],
    queryFn: () => accountUse(new Date(Date.now() - USE_MS), new Date()),
    enabled: mayReadUse,
  });
  const [act, setAct] = useState<Act>();
  const [showsEnded, setShowsEnded] = useState(false);
  const now = useNow();

  if (keys.isPending) return <p className="waiting">{PARTS.loading}</p>;
  if (keys.isError) return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />;
  const live = keys.data.filter((key) => stateOf(key, now) === 'live');
  const ended = keys.data.length - live.length;
  const close = () => setAct(undefined);
  return (
    <div className="page">
      <header className="page-head">
        <h1>{TITLES.keys}</h1>
        <button type="button" className="button main" onClick={() => setAct('new')}>
          {KEYS.create}
        </button>
      </header>
      <EndingSoon
        keys={live.filter((key) => endsSoon(key, now))}
        onRotate={(key) => setAct({ act: 'rotate', key })}
      />
      {keys.data.length === 0 ? (
        <EmptyState title={KEYS.emptyTitle}>
          <p>{KEYS.empty}</p>
        </EmptyState>
      ) : (
        <KeyTable
          keys={showsEnded ? keys.data : live}
          use={usesById(use.data?.credentials)}
          now={now}
          onAct={(chosen, key) => setAct({ act: chosen, key })}
        />
      )}
      {ended > 0 && (
        <label className="keys-ended">
          <input
            type="checkbox"
            checked={showsEnded}
            onChange={(event) => setShowsEnded(event.target.checked)}
          />
          {KEYS.showEnded(ended)}
        </label>
      )}
      {act === 'new' && <NewKey onClose={close} />}
      {typeof act === 'object' && act.act === 'rotate' && <RotateKey of={act.key} onClose={close} />}
      {typeof act === 'object' && act.act === 'revoke' && <RevokeKey of={act.key} onClose={close} />}
      {typeof act === 'object' && act.act === 'setup' && <KeySetup of={act.key} onClose={close} />}
    </div>
  );
}

function usesById(credentials: readonly CredentialUse[] = []): ReadonlyMap<string, CredentialUse> {
  return new Map(credentials.map((credential) => [credential.id, credential]));
}
