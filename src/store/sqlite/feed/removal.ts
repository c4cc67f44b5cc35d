// Deleting from the feed log: compaction, and what an archived indicator leaves behind.
//
// A page walk sees the feed as of its first page. What is deleted meanwhile is missing on its later pages, and never
// comes twice.

import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';
import { unlist } from './live-rows.ts';

/**
 * Deletes superseded versions, never the newest one of an object. Only a walk that began before a version was superseded
 * can still show it: such a walk skips it, and finds the newer version with its next poll.
 */
export function compactFeed(connection: Connection, before: number, limit: number): number {
  const rows = connection.rows(
    'select date_added, superseded_at from feed where superseded_at < ? order by superseded_at limit ?',
    before * 1_000,
    limit,
  ) as [number, number][];
  for (const [dateAdded, supersededAt] of rows) deleteSuperseded(connection, dateAdded, supersededAt);
  return rows.length;
}

/** Deletes all versions of an object but the newest one, and all objects it owns. */
export function trimObject(connection: Connection, id: string): void {
  const uuid = stixIdToBlob(id);
  const superseded = connection.rows(
    `select date_added, superseded_at from feed
     where uuid = ? and object_id = ? and superseded_at is not null order by date_added`,
    uuid,
    id,
  ) as [number, number][];
  for (const [dateAdded, supersededAt] of superseded) deleteSuperseded(connection, dateAdded, supersededAt);
  deleteAll(connection, 'owner = ?', uuid);
}

/** Deletes an object, and all objects it owns. */
export function removeObject(connection: Connection, id: string): void {
  const uuid = stixIdToBlob(id);
  deleteAll(connection, 'owner = ?', uuid);
  deleteAll(connection, 'uuid = ? and object_id = ?', uuid, id);
}

/** The next version is now the first one of its object, so it takes over the joined collections. */
function deleteSuperseded(connection: Connection, dateAdded: number, supersededAt: number): void {
  // A late version joined nothing.
  if (supersededAt !== dateAdded) {
    connection.run(
      'update feed set joined = joined | (select joined from feed where date_added = ?) where date_added = ?',
      dateAdded,
      supersededAt,
    );
  }
  deleteVersion(connection, dateAdded);
}

/** Deletes whole objects. */
function deleteAll(connection: Connection, which: string, ...values: readonly (Buffer | string)[]): void {
  const rows = connection.rows(
    `select date_added, type, tlp, collections, superseded_at from feed where ${which}`,
    ...values,
  ) as [number, string, number, number, number | null][];
  for (const [dateAdded, type, tlp, collections, supersededAt] of rows) {
    if (supersededAt === null) unlist(connection, type, { dateAdded, tlp, collections });
    deleteVersion(connection, dateAdded);
  }
}

function deleteVersion(connection: Connection, dateAdded: number): void {
  connection.run('delete from feed where date_added = ?', dateAdded);
  connection.run('delete from feed_object where date_added = ?', dateAdded);
}
