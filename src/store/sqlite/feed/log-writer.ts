// Appending to the feed log.

import type { Audience } from '../../../domain/audience.ts';
import type { FeedAppend, FeedChange } from '../../feed.ts';
import { type CollectionSets, type Head, type Placement, placeVersion } from '../../rules/feed-placement.ts';
import { checksumOf } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';
import { collectionNumber } from './collections.ts';
import { DateSequences } from './dates.ts';
import { type FeedHead, Heads } from './heads.ts';
import { bitOf, EVERY, IN_DOUBT, WHOLE_FEED } from './listing.ts';
import { list, noteAudience, unlistFor } from './live-versions.ts';
import { hideFromFeed, takeFromFeed } from './withdrawal.ts';

export function appendToFeed(connection: Connection, changes: readonly FeedChange[], now: number): void {
  const dates = new DateSequences(connection);
  const heads = new Heads(connection);
  const audiences = new Set<Audience>();
  const sets = collectionBits(connection);
  for (const entry of changes) {
    if (!('version' in entry)) {
      if ('removes' in entry) takeFromFeed(connection, entry);
      else hideFromFeed(connection, entry);
      heads.forget();
      continue;
    }
    const { id, owner, secondOwner } = entry;
    let newest = heads.of(id, entry.audience, owner);
    const owners = [owner, secondOwner].flatMap((one) =>
      one === undefined ? [] : [heads.of(one, entry.audience)],
    );
    const isSaidBy = (head: Head<number>) => isSaidByHead(connection, entry, head as FeedHead);
    const held = () => readersWith(connection, entry);
    for (const placement of placeVersion(entry, newest, owners, held, sets, isSaidBy)) {
      const { audience, collections } = placement;
      const place = dates.next(audience, entry.modified, now);
      insert(connection, entry, placement, place);
      // The audience of a head was noted before.
      if (!newest.some((head) => head.audience === audience)) audiences.add(audience);
      if (placement.late) {
        noteSupersession(connection, place, { place, audience, collections });
        continue;
      }
      for (const head of newest) supersede(connection, entry, head, audience, place);
      list(connection, entry.type, { place, audience, collections });
      newest = heads.note(id, { place, version: entry.version, audience, collections });
    }
  }
  for (const audience of audiences) noteAudience(connection, audience);
  dates.save();
}

function isSaidByHead(connection: Connection, { isSaidBy }: FeedAppend, { place }: FeedHead): boolean {
  const row = connection.row('select object from feed_object where date_added = ?', place);
  return row !== undefined && isSaidBy?.(row[0] as string) === true;
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

/** The ceilings that have a version already. */
function readersWith(connection: Connection, { id, version }: FeedAppend): Audience {
  return connection
    .rows(
      'select audience from feed where uuid = ? and version = ? and object_id = ?',
      stixIdToBlob(id),
      version,
      id,
    )
    .reduce((all, [audience]) => all | (audience as number), 0);
}

function insert(
  connection: Connection,
  { id, type, version, owner, secondOwner, object }: FeedAppend,
  { audience, collections, joined, joinsInPart }: Placement<number>,
  place: number,
): void {
  connection.run(
    `insert into feed (date_added, object_id, uuid, type, version, audience, owner, second_owner, collections, joined)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    place,
    id,
    stixIdToBlob(id),
    type,
    version,
    audience,
    owner === undefined ? null : stixIdToBlob(owner),
    secondOwner === undefined ? null : stixIdToBlob(secondOwner),
    collections,
    joinsInPart ? joined | IN_DOUBT : joined,
  );
  connection.run(
    'insert into feed_object (date_added, crc, object) values (?, ?, ?)',
    place,
    checksumOf(object),
    object,
  );
}

/** @param readers of the version at `place`. */
function supersede(
  connection: Connection,
  { type }: FeedAppend,
  head: FeedHead,
  readers: Audience,
  place: number,
): void {
  const audience = head.audience & readers;
  if (audience === 0) return;
  unlistFor(connection, type, head, audience);
  noteSupersession(connection, place, { ...head, audience });
}

function noteSupersession(
  connection: Connection,
  supersededAt: number,
  { place, audience, collections }: Pick<FeedHead, 'place' | 'audience' | 'collections'>,
): void {
  connection.run(
    'insert into feed_superseded (superseded_at, date_added, audience, collections) values (?, ?, ?, ?)',
    supersededAt,
    place,
    audience,
    collections,
  );
}
