// The outbox: use that a billing system is to be told of, kept until it has been.

import type { OutboxState, UsageEvent } from '../../usage.ts';
import type { Connection } from '../connection.ts';

/** Inside a transaction of the caller. */
export function takeEvents(connection: Connection, limit: number): UsageEvent[] {
  connection.run(
    `update usage_event set taken = 1
     where taken = 0 and seq in (select seq from usage_event order by seq limit ?)`,
    limit,
  );
  return connection
    .rows(
      'select id, account, credential, at, searches, returned from usage_event order by seq limit ?',
      limit,
    )
    .map(([id, account, credential, at, searches, returned]) => ({
      id: id as string,
      account: account as string,
      credential: credential as string,
      at: at as number,
      searches: searches as number,
      returned: returned as number,
    }));
}

export function settleEvents(connection: Connection, ids: readonly string[]): void {
  for (const id of ids) connection.run('delete from usage_event where id = ? and taken = 1', id);
}

export function outboxState(connection: Connection): OutboxState {
  const [events, searches, oldestAt] = connection.row(
    'select count(*), coalesce(sum(searches), 0), min(since) from usage_event',
  ) ?? [0, 0, null];
  return {
    events: events as number,
    searches: searches as number,
    ...(oldestAt === null ? {} : { oldestAt: oldestAt as number }),
  };
}
