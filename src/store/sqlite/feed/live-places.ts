// The places (date_added) of the newest versions: a merge of the ranges of listings that are not empty for a query.

import type { SQLInputValue } from 'node:sqlite';
import { readersAt } from '../../../domain/audience.ts';
import type { Connection } from '../connection.ts';
import { bitOf, listingsFor } from './listing.ts';
import { type LogQuery, rangeOf } from './log-query.ts';

export interface Places {
  /** Selects `date_added`. The caller orders and limits it. */
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Takes two values: after the first (exclusive), until the second (inclusive). */
export const RANGE = 'date_added > ? and date_added <= ?';
/** The plus sign stops SQLite from scanning the log by this condition. Another condition has the better index. */
export const UNINDEXED_RANGE = '+date_added > ? and +date_added <= ?';

/** A condition that takes one value: the JSON text of a list. */
export function oneOf(column: string): string {
  return `${column} in (select value from json_each(?))`;
}

/**
 * The newest versions as of `until`: those that are the newest now, and those that were superseded after `until`. A walk
 * thus sees one state of the feed on all its pages.
 */
export function newestOf(connection: Connection, query: LogQuery, collection: number): Places {
  const { types } = query;
  const listOfTypes = types === undefined ? [] : [JSON.stringify(types)];
  const range = rangeOf(query);
  const streams: string[] = [];
  const values: SQLInputValue[] = [];
  for (const { listing, audience, mixed } of rangesOf(connection, query, collection)) {
    const narrowed = mixed && types !== undefined;
    streams.push(
      narrowed
        ? `select l.date_added as date_added from feed_live l cross join feed f on f.date_added = l.date_added
           where l.listing = ? and l.audience = ? and l.date_added > ? and l.date_added <= ? and ${oneOf('f.type')}`
        : `select date_added from feed_live where listing = ? and audience = ? and ${RANGE}`,
    );
    values.push(listing, audience, ...range, ...(narrowed ? listOfTypes : []));
  }
  streams.push(
    types === undefined
      ? `select date_added from feed_superseded s where ${SUPERSEDED}`
      : `select s.date_added as date_added from feed_superseded s cross join feed f on f.date_added = s.date_added
         where ${SUPERSEDED} and ${oneOf('f.type')}`,
  );
  values.push(query.until, ...range, readersAt(query.ceiling), bitOf(collection), ...listOfTypes);
  return { sql: streams.join(' union all '), values };
}

/** The versions that were superseded for a ceiling after an instant. */
const SUPERSEDED = `s.superseded_at > ? and s.date_added > ? and s.date_added <= ?
  and s.audience & ? <> 0 and s.collections & ? <> 0`;

/** A range of one listing that is not empty. */
interface ListedRange {
  readonly listing: number;
  readonly audience: number;
  readonly mixed: boolean;
}

/**
 * The ranges that are not empty for a query. Most audiences are rare, and a probe of an empty range is cheaper
 * than merging it.
 */
function rangesOf(connection: Connection, query: LogQuery, collection: number): readonly ListedRange[] {
  const ranges = listingsFor(collection, query.types).flatMap(({ number, mixed }) =>
    query.audiences.map((audience): ListedRange => ({ listing: number, audience, mixed })),
  );
  if (ranges.length === 0) return [];
  const probes = ranges.map(
    ({
      listing,
      audience,
    }) => `exists (select 1 from feed_live where listing = ${listing} and audience = ${audience}
      and date_added > ?1 and date_added <= ?2)`,
  );
  const filled = connection.row(`select ${probes.join(', ')}`, ...rangeOf(query));
  return ranges.filter((_, index) => filled?.[index] === 1);
}
