// Reading use: sums by bucket, credentials with use, their last use, and the state of the outbox.

import { bucketEnd, bucketStart, type UsageBucket, wholeBuckets } from '../../../domain/usage-bucket.ts';
import type {
  OutboxState,
  RefusalTotal,
  UsageHolder,
  UsageQuery,
  UsageReader,
  UsageTotal,
} from '../../usage.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';
import { readConsumers } from './consumers.ts';
import { WHOLE_ACCOUNT } from './usage-writer.ts';

/** The SQL expression that groups hours into buckets. */
const GROUP_OF: Readonly<Record<UsageBucket, string>> = {
  HOUR: 'hour',
  DAY: 'hour / 86400000',
  MONTH: `strftime('%Y-%m', hour / 1000, 'unixepoch')`,
};

export function createUsageReader(connection: Connection): UsageReader {
  return {
    report: guarded(({ account, credential = WHOLE_ACCOUNT, bucket, window }: UsageQuery, limit: number) => {
      const { start = Number.MIN_SAFE_INTEGER, end = Number.MAX_SAFE_INTEGER } = wholeBuckets(bucket, window);
      return connection
        .rows(
          `select min(hour), sum(searches), sum(returned), sum(lookups), sum(lookup_requests)
           from usage
           where account = ? and credential = ? and hour >= ? and hour < ?
           group by ${GROUP_OF[bucket]} order by 1 limit ?`,
          account,
          credential,
          start,
          end,
          limit,
        )
        .map(
          ([hour, searches, returned, lookups, lookupRequests]): UsageTotal => ({
            start: bucketStart(bucket, hour as number),
            end: bucketEnd(bucket, hour as number),
            searches: searches as number,
            returned: returned as number,
            lookups: lookups as number,
            lookupRequests: lookupRequests as number,
          }),
        );
    }),

    refusals: guarded(
      ({ account, credential = WHOLE_ACCOUNT, bucket, window }: UsageQuery, limit: number) => {
        const { start = Number.MIN_SAFE_INTEGER, end = Number.MAX_SAFE_INTEGER } = wholeBuckets(
          bucket,
          window,
        );
        return connection
          .rows(
            `select min(hour), sum(requests) from refusal
           where account = ? and credential = ? and hour >= ? and hour < ?
           group by ${GROUP_OF[bucket]} order by 1 limit ?`,
            account,
            credential,
            start,
            end,
            limit,
          )
          .map(
            ([hour, requests]): RefusalTotal => ({
              start: bucketStart(bucket, hour as number),
              end: bucketEnd(bucket, hour as number),
              requests: requests as number,
            }),
          );
      },
    ),

    holders: guarded((account?: string) =>
      (account === undefined
        ? connection.rows(
            'select distinct account, credential from usage where credential <> ? order by 1, 2',
            WHOLE_ACCOUNT,
          )
        : connection.rows(
            'select distinct account, credential from usage where credential <> ? and account = ? order by 2',
            WHOLE_ACCOUNT,
            account,
          )
      ).map(
        ([holder, credential]): UsageHolder => ({
          account: holder as string,
          credential: credential as string,
        }),
      ),
    ),

    lastUses: guarded(
      (credentials: readonly string[]) =>
        new Map(
          connection
            .rows(
              'select credential, at from last_use where credential in (select value from json_each(?))',
              JSON.stringify(credentials),
            )
            .map(([credential, at]) => [credential as string, at as number]),
        ),
    ),

    outbox: guarded(() => outboxState(connection)),

    consumers: guarded((account: string | undefined, limit: number) =>
      readConsumers(connection, account, limit),
    ),
  };
}

function outboxState(connection: Connection): OutboxState {
  const [events, searches, lookups, oldestAt] = connection.row(
    'select count(*), coalesce(sum(searches), 0), coalesce(sum(lookups), 0), min(since) from usage_event',
  ) ?? [0, 0, 0, null];
  return {
    events: events as number,
    searches: searches as number,
    lookups: lookups as number,
    ...(oldestAt === null ? {} : { oldestAt: oldestAt as number }),
  };
}
