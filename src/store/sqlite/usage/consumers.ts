// The clients of the feed: where each is, and how it pages.

import type { FeedConsumer } from '../../usage.ts';
import type { Connection } from '../connection.ts';

/** Consumers of one account. Keys come and go, and the one that polled longest ago gives way. */
const MOST_CONSUMERS = 2_000;

export function noteConsumers(connection: Connection, consumers: readonly FeedConsumer[]): void {
  for (const { account, credential, collection, position, polledAt, polls, agent, mistakes } of consumers) {
    const row = connection.row(
      'select polls, mistakes, position, polled_at, agent from consumer where account = ? and credential = ? and collection = ?',
      account,
      credential,
      collection,
    ) as [number, string, number, number, string] | undefined;
    const sums: Record<string, { count: number; lastAt: number }> =
      row === undefined ? {} : JSON.parse(row[1]);
    for (const [name, { count, lastAt }] of Object.entries(mistakes)) {
      sums[name] = { count: (sums[name]?.count ?? 0) + count, lastAt };
    }
    // Two processes may tell of one consumer.
    const isNewest = row === undefined || polledAt >= row[3];
    connection.run(
      `insert or replace into consumer (account, credential, collection, position, polled_at, polls, agent, mistakes)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      account,
      credential,
      collection,
      isNewest ? position : row[2],
      isNewest ? polledAt : row[3],
      polls + (row?.[0] ?? 0),
      isNewest ? agent : row[4],
      JSON.stringify(sums),
    );
    if (row === undefined) {
      connection.run(
        `delete from consumer where (account, credential, collection) in (
           select account, credential, collection from consumer where account = ?
           order by polled_at desc limit -1 offset ${MOST_CONSUMERS})`,
        account,
      );
    }
  }
}

export function readConsumers(
  connection: Connection,
  account: string | undefined,
  limit: number,
): readonly FeedConsumer[] {
  return connection
    .rows(
      `select account, credential, collection, position, polled_at, polls, agent, mistakes from consumer
       ${account === undefined ? '' : 'where account = ?'} order by polled_at desc, credential, collection limit ?`,
      ...(account === undefined ? [] : [account]),
      limit,
    )
    .map(([holder, credential, collection, position, polledAt, polls, agent, mistakes]) => ({
      account: holder as string,
      credential: credential as string,
      collection: collection as string,
      position: position as number,
      polledAt: polledAt as number,
      polls: polls as number,
      agent: agent as string,
      mistakes: JSON.parse(mistakes as string),
    }));
}
