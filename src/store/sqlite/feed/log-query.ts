// A query of the feed with what it needs to know about its ceiling.

import { type Audience, readersAt } from '../../../domain/audience.ts';
import type { FeedQuery } from '../../feed.ts';
import type { Connection } from '../connection.ts';
import { HAS_OTHER_DATES } from './dates.ts';

export interface LogQuery extends FeedQuery {
  /** The audiences that occur and have readers with this ceiling. */
  readonly audiences: readonly Audience[];
  /** Whether a date in the range of the query may differ from its place. */
  readonly hasOtherDates: boolean;
}

export function rangeOf({
  after = Number.MIN_SAFE_INTEGER,
  until,
}: Pick<FeedQuery, 'after' | 'until'>): readonly [number, number] {
  return [after, until];
}

/** The result is valid only in the read transaction that is open. */
export function logQuery(connection: Connection, query: FeedQuery): LogQuery {
  const rows = connection.rows(
    `select audience, ${HAS_OTHER_DATES} from feed_audience where audience & ?1 <> 0`,
    readersAt(query.ceiling),
    ...rangeOf(query),
  );
  return {
    ...query,
    audiences: rows.map(([audience]) => audience as Audience),
    hasOtherDates: rows[0]?.[1] === 1,
  };
}
