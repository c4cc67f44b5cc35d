// Appending to the feed log: a version gets its place, supersedes the one before, and takes its marking to all versions.

import { nextDateAdded } from '../../../domain/date-added.ts';
import type { FeedAppend, FeedChange, FeedRaise } from '../../stores.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../indicator-id.ts';
import { tlpColumn } from '../tlp-column.ts';
import { collectionNumber } from './collections.ts';
import { bitOf, EVERY, listingsOf, WHOLE_FEED } from './listing.ts';
import { type Newest, NewestVersions } from './newest.ts';

export function appendToFeed(connection: Connection, changes: readonly FeedChange[], now: number): void {
  let last = lastDateAdded(connection);
  const versions = new NewestVersions(connection);
  for (const entry of changes) {
    if (!('version' in entry)) {
      raise(connection, entry, versions);
      continue;
    }
    const newest = versions.of(entry);
    if (newest !== undefined && hasVersion(connection, entry, newest.version)) continue;
    const owner = entry.owner === undefined ? undefined : versions.of({ id: entry.owner });
    const collections = collectionsOf(connection, entry, newest, owner);
    if (entry.onlyToJoin && newest?.collections === collections) continue;
    last = nextDateAdded(last, entry.modified, now);
    const added = insert(connection, entry, { dateAdded: last, collections }, newest, owner);
    if (newest !== undefined && newest.tlp < added.tlp) {
      raiseOwned(connection, entry.id, added.tlp);
      versions.forget();
    }
    versions.note(entry.id, added);
  }
}

/** The dateAdded of the newest entry. */
export function lastDateAdded(connection: Connection): number | undefined {
  const row = connection.row('select max(date_added) from feed');
  return (row?.[0] ?? undefined) as number | undefined;
}

function hasVersion(connection: Connection, entry: FeedAppend, newestVersion: string): boolean {
  // Versions are written alike, so their order as text is that of time, and none is later than the newest.
  if (entry.version >= newestVersion) return entry.version === newestVersion;
  return (
    connection.row(
      'select 1 from feed where uuid = ? and version = ? and object_id = ?',
      stixIdToBlob(entry.id),
      entry.version,
      entry.id,
    ) !== undefined
  );
}

/** Whether a version comes after a newer one. */
function isLate(entry: FeedAppend, newest: Newest): boolean {
  return entry.version < newest.version;
}

/** @returns what now governs the object. */
function insert(
  connection: Connection,
  entry: FeedAppend,
  { dateAdded, collections }: Pick<Newest, 'dateAdded' | 'collections'>,
  newest: Newest | undefined,
  owner: Newest | undefined,
): Newest {
  // Superseded from the start, and governed by the marking of the newer one.
  const late = newest !== undefined && isLate(entry, newest);
  const tlp = late ? newest.tlp : Math.max(tlpColumn(entry.tlp), owner?.tlp ?? 0);
  connection.run(
    `insert into feed
       (date_added, object_id, uuid, type, version, tlp, owner, collections, joined, superseded_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    dateAdded,
    entry.id,
    stixIdToBlob(entry.id),
    entry.type,
    entry.version,
    tlp,
    entry.owner === undefined ? null : stixIdToBlob(entry.owner),
    collections,
    newest === undefined ? collections : collections & ~newest.collections,
    late ? dateAdded : null,
  );
  connection.run('insert into feed_object (date_added, object) values (?, ?)', dateAdded, entry.object);
  if (late) return newest;

  if (newest !== undefined) {
    connection.run('update feed set superseded_at = ? where date_added = ?', dateAdded, newest.dateAdded);
    unlist(connection, entry.type, newest);
  }
  const added = { dateAdded, version: entry.version, tlp, collections };
  list(connection, entry.type, added);
  if (newest !== undefined && newest.tlp !== tlp) mark(connection, entry.id, tlp);
  return added;
}

function collectionsOf(
  connection: Connection,
  entry: FeedAppend,
  newest: Newest | undefined,
  owner: Newest | undefined,
): number {
  const { collections = [] } = entry;
  // What an object is in by now, a version of before neither adds to nor leaves.
  if (newest !== undefined && isLate(entry, newest)) return newest.collections;
  if (collections === 'every') return EVERY;
  let bits = bitOf(WHOLE_FEED) | (newest?.collections ?? 0) | (owner?.collections ?? 0);
  for (const id of collections) bits |= bitOf(collectionNumber(connection, id));
  return bits;
}

function raise(connection: Connection, { id, tlp }: FeedRaise, versions: NewestVersions): void {
  const newest = versions.of({ id });
  const column = tlpColumn(tlp);
  if (newest === undefined || newest.tlp >= column) return;
  const type = connection.row('select type from feed where date_added = ?', newest.dateAdded)?.[0] as string;
  unlist(connection, type, newest);
  list(connection, type, { ...newest, tlp: column });
  mark(connection, id, column);
  raiseOwned(connection, id, column);
  versions.forget();
}

/** The newest marking governs all versions. */
function mark(connection: Connection, id: string, tlp: number): void {
  connection.run('update feed set tlp = ? where uuid = ? and object_id = ?', tlp, stixIdToBlob(id), id);
}

/** What is about an object is hidden with it at once, also where no newer version of it follows. */
function raiseOwned(connection: Connection, owner: string, tlp: number): void {
  const uuid = stixIdToBlob(owner);
  const raised = connection.rows(
    `select date_added, version, tlp, collections, type from feed
     where owner = ? and tlp < ? and superseded_at is null`,
    uuid,
    tlp,
  ) as [number, string, number, number, string][];
  for (const [dateAdded, version, before, collections, type] of raised) {
    unlist(connection, type, { dateAdded, version, tlp: before, collections });
    list(connection, type, { dateAdded, version, tlp, collections });
  }
  connection.run('update feed set tlp = ? where owner = ? and tlp < ?', tlp, uuid, tlp);
}

function list(connection: Connection, type: string, { dateAdded, tlp, collections }: Newest): void {
  for (const listing of listingsOf(type, collections)) {
    connection.run(
      'insert into feed_live (listing, tlp, date_added) values (?, ?, ?)',
      listing,
      tlp,
      dateAdded,
    );
  }
}

function unlist(connection: Connection, type: string, { dateAdded, tlp, collections }: Newest): void {
  for (const listing of listingsOf(type, collections)) {
    connection.run(
      'delete from feed_live where listing = ? and tlp = ? and date_added = ?',
      listing,
      tlp,
      dateAdded,
    );
  }
}
