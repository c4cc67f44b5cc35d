// Taking versions out of the feed: compaction, and hiding an object from some ceilings. A version that nobody sees any more
// is deleted.

import { type Audience, NOBODY } from '../../../domain/audience.ts';
import type { FeedHide, FeedRemoval } from '../../feed.ts';
import type { Compaction } from '../../stores.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';
import { forgetDates } from './dates.ts';
import { headsAmong } from './heads.ts';
import { historiesOf, type ObjectRow } from './histories.ts';
import { IN_DOUBT } from './listing.ts';
import { noteAudience, unlistFor } from './live-versions.ts';
import { IS_LINK, IS_OWNED, ownedBy } from './owned.ts';

/**
 * Takes superseded versions from those for whom they were superseded, never the newest one of an object. A page walk sees
 * the feed as of its first page. Only a walk that began before a version was superseded can still show it: such a walk
 * skips it, and finds the newer version with its next poll.
 * @param limit of supersessions. A version may have one for each ceiling.
 */
export function compactFeed(connection: Connection, before: number, limit: number): Compaction {
  const rows = connection.rows(
    `select superseded_at, date_added, audience from feed_superseded where superseded_at < ?
     order by superseded_at, date_added limit ?`,
    before * 1_000,
    limit,
  ) as [number, number, number][];
  let deleted = 0;
  for (const [supersededAt, place, readers] of rows) {
    if (supersededAt !== place) passOnJoined(connection, place, supersededAt, readers);
    connection.run(
      'delete from feed_superseded where superseded_at = ? and date_added = ?',
      supersededAt,
      place,
    );
    if (takeFrom(connection, place, readers)) deleted += 1;
  }
  return { deleted, more: rows.length === limit };
}

/** The next version is now the first one of its object for some readers. A late version joined nothing. */
function passOnJoined(connection: Connection, place: number, next: number, readers: Audience): void {
  const joined = connection.row('select joined from feed where date_added = ?', place)?.[0] as number;
  if (joined === 0) return;
  connection.run(
    `update feed set joined = joined | ? | iif(audience & ~? = 0, 0, ${IN_DOUBT}) where date_added = ?`,
    joined,
    readers,
    next,
  );
}

/** The newest version stays: it tells these readers that the object is revoked. What the object owns goes. */
export function hideFromFeed(connection: Connection, { id, from }: FeedHide): void {
  const uuid = stixIdToBlob(id);
  hideVersions(connection, historiesOf(connection, 'uuid = ? and object_id = ?', uuid, id), from, true);
  hideVersions(connection, historiesOf(connection, IS_OWNED, ...ownedBy(uuid)), from, false);
}

/** Takes an object, or its links with others, from some readers. */
export function takeFromFeed(connection: Connection, { id, from, removes }: FeedRemoval): void {
  const uuid = stixIdToBlob(id);
  const histories =
    removes === 'links'
      ? historiesOf(connection, IS_LINK, uuid)
      : historiesOf(connection, 'uuid = ? and object_id = ?', uuid, id);
  hideVersions(connection, histories, from, false);
}

/** Takes an object and all objects it owns from some readers. */
export function removeFromFeed(connection: Connection, id: string, readers: Audience): void {
  const uuid = stixIdToBlob(id);
  const all = [
    ...historiesOf(connection, 'uuid = ? and object_id = ?', uuid, id),
    ...historiesOf(connection, IS_OWNED, ...ownedBy(uuid)),
  ];
  hideVersions(connection, all, readers, false);
}

function hideVersions(
  connection: Connection,
  histories: readonly (readonly ObjectRow[])[],
  from: Audience,
  keepNewest: boolean,
): void {
  for (const history of histories) {
    // All versions of one object, so every supersession of the object is at one of these places.
    for (const { place } of history) forgetSupersessions(connection, place, from);
    const heads = new Map(headsAmong(history).map((head) => [head.place, head]));
    for (const row of history) {
      const head = heads.get(row.place);
      const isNewestFor = head === undefined ? NOBODY : head.audience & from;
      if (keepNewest) {
        // It is the first version of the object for them now.
        if (isNewestFor !== NOBODY)
          connection.run(
            `update feed set joined = collections | ${IN_DOUBT} where date_added = ?`,
            row.place,
          );
        takeFrom(connection, row.place, from & ~isNewestFor);
      } else {
        if (head !== undefined && isNewestFor !== NOBODY) unlistFor(connection, row.type, head, from);
        takeFrom(connection, row.place, from);
      }
    }
  }
}

function forgetSupersessions(connection: Connection, supersededAt: number, readers: Audience): void {
  connection.run(
    'update feed_superseded set audience = audience & ~? where superseded_at = ?',
    readers,
    supersededAt,
  );
  connection.run('delete from feed_superseded where superseded_at = ? and audience = 0', supersededAt);
}

/**
 * Takes a version from some readers. Returns whether it is deleted, because nobody else sees it.
 * It must not be listed or superseded for them any more.
 */
function takeFrom(connection: Connection, place: number, readers: Audience): boolean {
  const row = connection.row('select audience from feed where date_added = ?', place);
  if (row === undefined) return false;
  const before = row[0] as number;
  const audience = before & ~readers;
  if (audience === before) return false;
  forgetDates(connection, place, before & readers);
  if (audience !== NOBODY) {
    noteAudience(connection, audience);
    connection.run('update feed set audience = ? where date_added = ?', audience, place);
    return false;
  }
  connection.run('delete from feed where date_added = ?', place);
  connection.run('delete from feed_object where date_added = ?', place);
  return true;
}
