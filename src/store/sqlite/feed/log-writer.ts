// Writing the feed log: appending versions and raising markings.

import { nextDateAdded } from '../../../domain/date-added.ts';
import type { FeedAppend, FeedChange, FeedRaise } from '../../feed.ts';
import { type CollectionSets, compareWithNewest, placeVersion } from '../../rules/feed-placement.ts';
import { markingNumber } from '../../rules/markings.ts';
import { checksumOf } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';
import { collectionNumber } from './collections.ts';
import { bitOf, EVERY, WHOLE_FEED } from './listing.ts';
import { list, unlist } from './live-rows.ts';
import { type Newest, NewestVersions } from './newest.ts';
import { trimObject } from './removal.ts';

export function appendToFeed(connection: Connection, changes: readonly FeedChange[], now: number): void {
  let last = lastDateAdded(connection);
  const versions = new NewestVersions(connection);
  const sets = collectionBits(connection);
  for (const entry of changes) {
    if ('trim' in entry) {
      trimObject(connection, entry.id);
      versions.forget();
      continue;
    }
    if (!('version' in entry)) {
      raise(connection, entry, versions);
      continue;
    }
    const newest = versions.of(entry);
    if (newest !== undefined && hasVersion(connection, entry, newest.version)) continue;
    const owner = entry.owner === undefined ? undefined : versions.of({ id: entry.owner });
    const placement = placeVersion(entry, newest, owner, sets);
    if (placement === undefined) continue;
    last = nextDateAdded(last, entry.modified, now);
    const { tlp, collections, joined, late } = placement;
    insert(connection, entry, { dateAdded: last, tlp, collections, joined, late });
    if (late) continue;
    const added = { dateAdded: last, version: entry.version, tlp, collections };
    if (newest !== undefined) supersede(connection, entry, newest, added);
    list(connection, entry.type, added);
    if (newest !== undefined && newest.tlp < tlp) {
      raiseOwned(connection, entry.id, tlp);
      versions.forget();
    }
    versions.note(entry.id, added);
  }
}

/** Sets of collections as the bits of their numbers. */
function collectionBits(connection: Connection): CollectionSets<number> {
  return {
    every: EVERY,
    of: (ids) => ids.reduce((bits, id) => bits | bitOf(collectionNumber(connection, id)), bitOf(WHOLE_FEED)),
    union: (one, other) => one | other,
    difference: (one, other) => one & ~other,
    isEmpty: (bits) => bits === 0,
  };
}

/** The dateAdded of the newest entry. */
export function lastDateAdded(connection: Connection): number | undefined {
  const row = connection.row('select max(date_added) from feed');
  return (row?.[0] ?? undefined) as number | undefined;
}

function hasVersion(connection: Connection, { id, version }: FeedAppend, newest: string): boolean {
  const order = compareWithNewest(version, newest);
  if (order !== 'older') return order === 'same';
  const uuid = stixIdToBlob(id);
  const known = connection.row(
    'select 1 from feed where uuid = ? and version = ? and object_id = ?',
    uuid,
    version,
    id,
  );
  return known !== undefined;
}

function insert(
  connection: Connection,
  { id, type, version, owner, object }: FeedAppend,
  at: Omit<Newest, 'version'> & { readonly joined: number; readonly late: boolean },
): void {
  connection.run(
    `insert into feed
       (date_added, object_id, uuid, type, version, tlp, owner, collections, joined, superseded_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    at.dateAdded,
    id,
    stixIdToBlob(id),
    type,
    version,
    at.tlp,
    owner === undefined ? null : stixIdToBlob(owner),
    at.collections,
    at.joined,
    at.late ? at.dateAdded : null,
  );
  connection.run(
    'insert into feed_object (date_added, crc, object) values (?, ?, ?)',
    at.dateAdded,
    checksumOf(object),
    object,
  );
}

function supersede(connection: Connection, { id, type }: FeedAppend, newest: Newest, added: Newest): void {
  connection.run('update feed set superseded_at = ? where date_added = ?', added.dateAdded, newest.dateAdded);
  unlist(connection, type, newest);
  if (newest.tlp !== added.tlp) mark(connection, id, added.tlp);
}

function raise(connection: Connection, { id, tlp }: FeedRaise, versions: NewestVersions): void {
  const newest = versions.of({ id });
  const column = markingNumber(tlp);
  if (newest === undefined || newest.tlp >= column) return;
  const type = connection.row('select type from feed where date_added = ?', newest.dateAdded)?.[0] as string;
  unlist(connection, type, newest);
  list(connection, type, { ...newest, tlp: column });
  mark(connection, id, column);
  raiseOwned(connection, id, column);
  versions.forget();
}

/** The marking of the newest version governs all versions. */
function mark(connection: Connection, id: string, tlp: number): void {
  connection.run('update feed set tlp = ? where uuid = ? and object_id = ?', tlp, stixIdToBlob(id), id);
}

/** Hides what is about an object together with the object, although no newer version of it follows. */
function raiseOwned(connection: Connection, owner: string, tlp: number): void {
  const uuid = stixIdToBlob(owner);
  const raised = connection.rows(
    `select date_added, tlp, collections, type from feed
     where owner = ? and tlp < ? and superseded_at is null`,
    uuid,
    tlp,
  ) as [number, number, number, string][];
  for (const [dateAdded, before, collections, type] of raised) {
    unlist(connection, type, { dateAdded, tlp: before, collections });
    list(connection, type, { dateAdded, tlp, collections });
  }
  connection.run('update feed set tlp = ? where owner = ? and tlp < ?', tlp, uuid, tlp);
}
