// Compaction of the feed log: versions that were superseded long ago are forgotten, the newest of an object never is.
//
// A page walk sees the feed as of its first page. Only a walk that began before a version was superseded can still show
// it: one that is that old and goes on skips the version, and finds the newer one when it next polls.

import type { Connection } from '../connection.ts';

export function compactFeed(connection: Connection, before: number, limit: number): number {
  const rows = connection.rows(
    'select date_added, superseded_at from feed where superseded_at < ? order by superseded_at limit ?',
    before * 1_000,
    limit,
  ) as [number, number][];
  for (const [dateAdded, supersededAt] of rows) {
    // The next version is now the first one there is; it may be the next to go, so what it joined is read when it is its
    // turn. One that came too late superseded nothing, nor joined anything.
    if (supersededAt !== dateAdded) {
      connection.run(
        'update feed set joined = joined | (select joined from feed where date_added = ?) where date_added = ?',
        dateAdded,
        supersededAt,
      );
    }
    connection.run('delete from feed where date_added = ?', dateAdded);
    connection.run('delete from feed_object where date_added = ?', dateAdded);
  }
  return rows.length;
}
