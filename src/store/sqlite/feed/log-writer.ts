// Appending to the feed log.

import type { Audience } from '../../../domain/audience.ts';
import type { FeedAppend, FeedChange } from '../../feed.ts';
import { type CollectionSets, type Placement, placeVersion } from '../../rules/feed-placement.ts';
import { checksumOf } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';
import { collectionNumber } from './collections.ts';
import { DateSequences } from './dates.ts';
import { type FeedHead, Heads } from './heads.ts';
import { bitOf, EVERY, IN_DOUBT, WHOLE_FEED } from './listing.ts';
import { list, noteAudience, unlistFor } from './live-versions.ts';
import { hideFromFeed } from './withdrawal.ts';

export function appendToFeed(connection: Connection, changes: readonly FeedChange[], now: number): void {
  const dates = new DateSequences(connection);
  const heads = new Heads(connection);
  const audiences = new Set<Audience>();
  const sets = collectionBits(connection);
  for (const entry of changes) {
    if (!('version' in entry)) {
      hideFromFeed(connection, entry);
      heads.forget();
      continue;
    }
    const { id, owner } = entry;
    let newest = heads.of(id, entry.audience, owner);
    const owners = owner === undefined ? [] : heads.of(owner, entry.audience);
    const held = () => readersWith(connection, entry);
    for (const placement of placeVersion(entry, newest, owners, held, sets)) {
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
  { id, type, version, owner, object }: FeedAppend,
  { audience, collections, joined, joinsInPart }: Placement<number>,
  place: number,
): void {
  connection.run(
    `insert into feed (date_added, object_id, uuid, type, version, audience, owner, collections, joined)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    place,
    id,
    stixIdToBlob(id),
    type,
    version,
    audience,
    owner === undefined ? null : stixIdToBlob(owner),
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
