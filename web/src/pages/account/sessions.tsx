// The own sessions, in this browser and elsewhere.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endSession, listSessions, type OwnSession, signOutEverywhere } from '../../api/own-account.ts';
import { useSessionChange } from '../../app/session.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { visibleText } from '../../parts/hostile-text.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toasts.ts';
import { ACCOUNT } from '../../text/account.ts';
import { browserOf } from './browser-name.ts';

const KEY = ['own', 'sessions'];

export function Sessions() {
  const client = useQueryClient();
  const changed = useSessionChange();
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: listSessions });
  const onError = (fault: Error) => showToast(fault.message, 'bad');
  const end = useMutation({
    mutationFn: (session: OwnSession) => endSession(session.id),
    onSuccess: async (_, { current }) => {
      showToast(ACCOUNT.sessionEnded);
      if (current) await changed();
      else await client.invalidateQueries({ queryKey: KEY });
    },
    onError,
  });
  const everywhere = useMutation({ mutationFn: signOutEverywhere, onSuccess: () => changed(), onError });
  const columns: readonly Column<OwnSession>[] = [
    {
      key: 'browser',
      title: ACCOUNT.columns.browser,
      cell: ({ agent, current }) => (
        <>
          <HostileText text={browserOf(agent)} limit={60} brief /> {current && <b>({ACCOUNT.thisSession})</b>}
        </>
      ),
    },
    { key: 'network', title: ACCOUNT.columns.network, cell: ({ address }) => address },
    { key: 'method', title: ACCOUNT.columns.method, cell: ({ method }) => ACCOUNT.methods[method] ?? method },
    { key: 'created', title: ACCOUNT.columns.created, cell: (session) => <Time at={session.createTime} /> },
    { key: 'used', title: ACCOUNT.columns.used, cell: (session) => <Time at={session.lastUseTime} /> },
    { key: 'expires', title: ACCOUNT.columns.expires, cell: (session) => <Time at={session.expireTime} /> },
    {
      key: 'end',
      title: '',
      end: true,
      cell: (session) => (
        <button
          type="button"
          className="button small"
          aria-label={ACCOUNT.endNamed(visibleText(browserOf(session.agent)))}
          disabled={end.isPending}
          onClick={() => end.mutate(session)}
        >
          {ACCOUNT.end}
        </button>
      ),
    },
  ];
  return (
    <section className="panel account-part">
      <h2>{ACCOUNT.sessions}</h2>
      <p className="soft">{ACCOUNT.sessionsHint}</p>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Table caption={ACCOUNT.sessions} columns={columns} rows={data} rowKey={({ id }) => id} />
      )}
      <div className="account-line">
        <button
          type="button"
          className="button danger"
          disabled={everywhere.isPending}
          onClick={() => everywhere.mutate()}
        >
          {ACCOUNT.everywhere}
        </button>
      </div>
    </section>
  );
}
