// The partitions of the log. A partition holds the entries with the same type, audience and set of collections. An index
// holds the entries of each partition in their order.

import type { Connection } from '../connection.ts';
import type { LogQuery } from './log-query.ts';

export interface FeedPartition {
  /** The bits of its collections. */
  readonly collections: number;
  readonly type: string;
  readonly audience: number;
}

/** Jumps from the first entry of a partition to the first of the next, and reads no entry between them. */
const PARTITIONS = `
  with recursive present (type) as (
    select (select type from feed indexed by feed_partition order by type limit 1)
    union all
    select (select n.type from feed n indexed by feed_partition where n.type > present.type order by n.type limit 1)
    from present where type is not null
  ), step (date_added) as (
    select (
      select date_added from feed n indexed by feed_partition
      where n.type = present.type and n.audience = seen.value order by n.collections, n.date_added limit 1
    ) from present cross join json_each(?1) seen
    where present.type is not null and (?2 is null or present.type in (select value from json_each(?2)))
    union all
    select (
      select n.date_added from feed n indexed by feed_partition
      where n.type = f.type and n.audience = f.audience and n.collections > f.collections
      order by n.collections, n.date_added limit 1
    ) from step cross join feed f on f.date_added = step.date_added
    limit ?3
  )
  select f.collections, f.type, f.audience from step left join feed f on f.date_added = step.date_added`;

/**
 * The partitions of some types that a ceiling sees, in any collections.
 * @param most the bound of the result: objects may be in any combination of collections.
 * @returns undefined if there are more.
 */
export function feedPartitions(
  connection: Connection,
  { types, audiences }: Pick<LogQuery, 'types' | 'audiences'>,
  most: number,
): readonly FeedPartition[] | undefined {
  // The walk through each type and audience ends with a row of nulls.
  const bound = most + audiences.length * USUAL_TYPES;
  const rows = connection.rows(
    PARTITIONS,
    JSON.stringify(audiences),
    types === undefined ? null : JSON.stringify(types),
    bound + 1,
  ) as [number, string, number][];
  const found = rows.filter(([, type]) => type !== null);
  if (found.length > most || rows.length > bound) return undefined;
  return found.map(([collections, type, audience]) => ({ collections, type, audience }));
}

/** No fewer than the types of objects in a feed. */
const USUAL_TYPES = 16;
