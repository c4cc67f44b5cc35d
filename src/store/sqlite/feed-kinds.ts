// The kinds of entries in the log: which collections, type and marking occur together. There are few, however long the
// log is, and an index holds the entries of each in their order.

import type { Connection } from './connection.ts';

export interface FeedKind {
  /** The bits of its collections. */
  readonly collections: number;
  readonly type: string;
  readonly tlp: number;
}

/** The first entry behind a kind, by the index: the next marking, else the next type, else the next collections. */
const NEXT = [
  'n.collections = f.collections and n.type = f.type and n.tlp > f.tlp',
  'n.collections = f.collections and n.type > f.type',
  'n.collections > f.collections',
].map(
  (isBehind) => `(select n.date_added from feed n indexed by feed_kind where ${isBehind}
    order by n.collections, n.type, n.tlp, n.date_added limit 1)`,
);

/** From the first entry of one kind straight to the first of the next: no others are looked at. */
const KINDS = `
  with recursive step (date_added) as (
    select (select date_added from feed indexed by feed_kind order by collections, type, tlp, date_added limit 1)
    union all
    select coalesce(${NEXT.join(', ')}) from step cross join feed f on f.date_added = step.date_added
  )
  select f.collections, f.type, f.tlp from step cross join feed f on f.date_added = step.date_added`;

export function feedKinds(connection: Connection): readonly FeedKind[] {
  return (connection.rows(KINDS) as [number, string, number][]).map(([collections, type, tlp]) => ({
    collections,
    type,
    tlp,
  }));
}
