// The keys in a table.

import type { ApiKey } from '../../api/contract.ts';
import { type CredentialUse, unitsOf } from '../../api/usage.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { TlpChip } from '../../parts/tlp-chip.tsx';
import { KEYS } from '../../text/keys.ts';
import { endsSoon, stateOf } from './key-state.ts';

export type KeyAct = 'rotate' | 'revoke' | 'setup';

interface Props {
  readonly keys: readonly ApiKey[];
  /** By id of the key. A key without use is missing. */
  readonly use: ReadonlyMap<string, CredentialUse>;
  readonly now: number;
  readonly onAct: (act: KeyAct, key: ApiKey) => void;
}

const DAY_MS = 86_400_000;
const DAYS = 30;

export function KeyTable({ keys, use, now, onAct }: Props) {
  const { columns } = KEYS;
  const table: readonly Column<ApiKey>[] = [
    { key: 'name', title: columns.name, cell: (key) => <HostileText text={key.name} limit={60} brief /> },
    {
      key: 'key',
      title: columns.key,
      cell: (key) => (
        <code>
          {key.prefix}…{key.lastFour}
        </code>
      ),
    },
    { key: 'rights', title: columns.rights, cell: (key) => <Rights of={key} /> },
    { key: 'ceiling', title: columns.ceiling, cell: (key) => <TlpChip tlp={key.tlpCeiling} /> },
    { key: 'created', title: columns.created, cell: (key) => <Time at={key.createdAt} /> },
    { key: 'expires', title: columns.expires, cell: (key) => <End of={key} now={now} /> },
    { key: 'used', title: columns.used, cell: (key) => <Time at={key.lastUsedAt} /> },
    {
      key: 'calls',
      title: columns.calls,
      end: true,
      cell: (key) => <Units use={use.get(key.id)} now={now} />,
    },
    {
      key: 'actions',
      title: columns.actions,
      cell: (key) => stateOf(key, now) === 'live' && <Acts of={key} onAct={onAct} />,
    },
  ];
  return <Table caption={KEYS.table} columns={table} rows={keys} rowKey={({ id }) => id} />;
}

function Rights({ of: { sensor, scopes, sourceRanges } }: { readonly of: ApiKey }) {
  return (
    <span className="keys-rights">
      {sensor ? KEYS.sensorRights : scopes.length === 0 ? KEYS.noScopes : scopes.join(', ')}
      {sourceRanges.length > 0 && (
        <span className="soft" title={sourceRanges.join('\n')}>
          {KEYS.ranges(sourceRanges.length)}
        </span>
      )}
    </span>
  );
}

function End({ of: key, now }: { readonly of: ApiKey; readonly now: number }) {
  const state = stateOf(key, now);
  if (state === 'revoked') {
    return (
      <span className="soft">
        {KEYS.revoked} <Time at={key.revokedAt} />
      </span>
    );
  }
  if (key.expiresAt === undefined) return <span className="soft">{KEYS.noEnd}</span>;
  return (
    <span className={endsSoon(key, now) ? 'keys-soon' : state === 'ended' ? 'soft' : undefined}>
      {state === 'ended' && `${KEYS.ended} `}
      <Time at={key.expiresAt} />
    </span>
  );
}

function Units({ use, now }: { readonly use: CredentialUse | undefined; readonly now: number }) {
  if (use === undefined) return <span className="soft">0</span>;
  const today = Math.floor(now / DAY_MS);
  const units = Array.from({ length: DAYS }, () => 0);
  for (const day of use.days) {
    const index = DAYS - 1 - (today - Math.floor(Date.parse(day.start) / DAY_MS));
    if (index >= 0 && index < DAYS) units[index] = unitsOf(day);
  }
  const sum = units.reduce((all, day) => all + day, 0);
  return (
    <span className="keys-units">
      <Sparkline values={units} /> {sum.toLocaleString('en')}
    </span>
  );
}

function Acts({ of: key, onAct }: { readonly of: ApiKey; readonly onAct: Props['onAct'] }) {
  const button = (act: KeyAct, text: string, look: string) => (
    <button
      type="button"
      className={`button small ${look}`}
      aria-label={`${text}: ${key.name}`}
      onClick={() => onAct(act, key)}
    >
      {text}
    </button>
  );
  return (
    <span className="keys-acts">
      {button('setup', KEYS.setup, 'plain')}
      {button('rotate', KEYS.rotate, '')}
      {button('revoke', KEYS.revoke, 'danger')}
    </span>
  );
}
