// The partitions of the log. A partition holds the entries with the same type, marking and set of collections. An index
// holds the entries of each partition in their order.

import type { FeedQuery } from '../../feed.ts';
import { ceilingNumber } from '../../rules/markings.ts';
import type { Connection } from '../connection.ts';

export interface FeedPartition {
  /** The bits of its collections. */
  readonly collections: number;
  readonly type: string;
  readonly tlp: number;
}

/** The first entry of the next partition of a type: the next set of collections, otherwise the next marking. */
const NEXT = ['n.tlp = f.tlp and n.collections > f.collections', 'n.tlp > f.tlp and n.tlp <= ?1'].map(
  (
    isBehind,
  ) => `(select n.date_added from feed n indexed by feed_partition where n.type = f.type and ${isBehind}
    order by n.tlp, n.collections, n.date_added limit 1)`,
);

/** Jumps from the first entry of a partition to the first of the next, and reads no entry between them. */
const PARTITIONS = `
  with recursive present (type) as (
    select (select type from feed indexed by feed_partition order by type limit 1)
    union all
    select (select n.type from feed n indexed by feed_partition where n.type > present.type order by n.type limit 1)
    from present where type is not null
  ), step (date_added) as (
    select (
      select date_added from feed n indexed by feed_partition where n.type = present.type and n.tlp <= ?1
      order by n.tlp, n.collections, n.date_added limit 1
    ) from present where ?2 is null or type in (select value from json_each(?2))
    union all
    select coalesce(${NEXT.join(', ')}) from step cross join feed f on f.date_added = step.date_added
    limit ?3
  )
  select f.collections, f.type, f.tlp from step left join feed f on f.date_added = step.date_added`;

/**
 * The partitions of some types up to a ceiling, in any collections.
 * @param most the bound of the result: objects may be in any combination of collections.
 * @returns undefined if there are more.
 */
export function feedPartitions(
  connection: Connection,
  { types, ceiling }: Pick<FeedQuery, 'types' | 'ceiling'>,
  most: number,
): readonly FeedPartition[] | undefined {
  const rows = connection.rows(
    PARTITIONS,
    ceilingNumber(ceiling),
    types === undefined ? null : JSON.stringify(types),
    most + 1,
  ) as [number, string, number][];
  if (rows.length > most) return undefined;
  // The walk through a type ends with a row of nulls.
  return rows
    .filter(([, type]) => type !== null)
    .map(([collections, type, tlp]) => ({ collections, type, tlp }));
}
