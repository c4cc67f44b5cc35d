// Who reads the feed: position, lag, last poll, and mistakes in the paging.

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Collection, type Consumer, listConsumers } from '../../api/live.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { FEED } from '../../text/feed.ts';
import { PARTS } from '../../text/parts.ts';

const REFRESH_MS = 30_000;
const DAY_MS = 86_400_000;
/** Behind by less is between two polls. */
const BEHIND_S = 3_600;

export function Consumers({ collections }: { readonly collections: readonly Collection[] }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['consumers'],
    queryFn: listConsumers,
    refetchInterval: REFRESH_MS,
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="soft">{PARTS.loading}</p>;
  if (data.consumers.length === 0) {
    return (
      <EmptyState title={FEED.noConsumers}>
        <p>{FEED.noConsumersHint}</p>
        <Link href="/keys" className="button">
          {FEED.toKeys}
        </Link>
      </EmptyState>
    );
  }
  return (
    <>
      <p className="soft">
        {FEED.consumersHint} {!data.complete && FEED.incomplete}
      </p>
      <Table
        caption={FEED.consumers}
        columns={columnsFor(collections)}
        rows={data.consumers}
        rowKey={({ credential, collection }) => `${credential} ${collection}`}
      />
    </>
  );
}

function columnsFor(collections: readonly Collection[]): readonly Column<Consumer>[] {
  return [
    {
      key: 'key',
      title: FEED.key,
      cell: ({ name, isRevoked }) => (
        <>
          <HostileText text={name} limit={60} brief /> {isRevoked && <b className="soft">{FEED.revoked}</b>}
        </>
      ),
    },
    {
      key: 'collection',
      title: FEED.collection,
      cell: ({ collection }) => (
        <HostileText
          text={collections.find(({ id }) => id === collection)?.title ?? collection}
          limit={60}
          brief
        />
      ),
    },
    {
      key: 'state',
      title: FEED.state,
      cell: (consumer) => {
        const state = stateOf(consumer);
        return <span className={`feed-state feed-state-${state}`}>{FEED.states[state]}</span>;
      },
    },
    { key: 'lag', title: FEED.lag, cell: ({ lagSeconds }) => lagText(lagSeconds) },
    {
      key: 'position',
      title: FEED.position,
      cell: ({ position }) => (position === undefined ? FEED.nothingRead : <Time at={position} exact />),
    },
    { key: 'last', title: FEED.lastPoll, cell: ({ pollTime }) => <Time at={pollTime} /> },
    { key: 'polls', title: FEED.polls, end: true, cell: ({ polls }) => polls.toLocaleString('en') },
    { key: 'client', title: FEED.client, cell: ({ agent }) => <HostileText text={agent} limit={60} brief /> },
    { key: 'mistakes', title: FEED.mistakes, cell: ({ mistakes }) => <Mistakes mistakes={mistakes} /> },
  ];
}

function Mistakes({ mistakes }: Pick<Consumer, 'mistakes'>) {
  if (mistakes.length === 0) return <span className="soft">{FEED.noMistakes}</span>;
  return (
    <ul className="feed-mistakes">
      {mistakes.map(({ mistake, count, lastTime }) => (
        <li key={mistake}>
          {FEED.mistake[mistake] ?? mistake} ({FEED.times(count)}, <Time at={lastTime} />)
        </li>
      ))}
    </ul>
  );
}

function stateOf({ mistakes, pollTime, lagSeconds }: Consumer): keyof typeof FEED.states {
  const now = Date.now();
  if (now - Date.parse(pollTime) > DAY_MS) return 'silent';
  if (mistakes.some(({ lastTime }) => now - Date.parse(lastTime) < DAY_MS)) return 'mistakes';
  return lagSeconds > BEHIND_S ? 'behind' : 'current';
}

/** The largest unit, which is enough for a lag. */
function lagText(seconds: number): string {
  if (seconds === 0) return FEED.noLag;
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}
