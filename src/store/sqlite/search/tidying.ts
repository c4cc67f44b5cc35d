// Keeps the search index in few segments. FTS5 writes a segment for each batch of rows and merges some now and then. A
// search looks up each of its tokens in every segment: in eight of them a narrow search took two and a half times as long
// as in one.

import type { Connection } from '../connection.ts';

/** So many segments may stay. They come back after a few batches. */
const FEW = 4;
/** Pages of 4 kB that one call writes: some milliseconds. */
const PAGES = 256;

/**
 * Merges a part of the index.
 * @param begun whether an earlier call has begun and returned true.
 * @returns whether there is more to do.
 */
export function tidySearch(connection: Connection, begun: boolean): boolean {
  if (!begun && segments(connection) <= FEW) return false;
  const before = changesSoFar(connection);
  // A negative number takes all segments into the merge. A positive one goes on with it.
  connection.exec(
    `insert into search_index (search_index, rank) values ('merge', ${begun ? PAGES : -PAGES})`,
  );
  // The statement itself is one change.
  return changesSoFar(connection) - before > 1;
}

function segments(connection: Connection): number {
  return connection.row('select count(distinct segid) from search_index_idx')?.[0] as number;
}

function changesSoFar(connection: Connection): number {
  return Number(connection.row('select total_changes()')?.[0]);
}
