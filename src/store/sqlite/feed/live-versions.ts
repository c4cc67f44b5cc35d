// The entries of listings: which versions are the newest now, and for whom.

import { NOBODY } from '../../../domain/audience.ts';
import type { Connection } from '../connection.ts';
import type { FeedHead } from './heads.ts';
import { listingsOf } from './listing.ts';

export type ListedHead = Pick<FeedHead, 'place' | 'audience' | 'collections'>;

/** Lists a version in its collections for the ceilings for which it is the newest one. */
export function list(
  connection: Connection,
  type: string,
  { place, audience, collections }: ListedHead,
): void {
  if (audience === NOBODY) return;
  for (const listing of listingsOf(type, collections)) {
    connection.run(
      'insert into feed_live (listing, audience, date_added) values (?, ?, ?)',
      listing,
      audience,
      place,
    );
  }
}

function unlist(connection: Connection, type: string, { place, audience, collections }: ListedHead): void {
  for (const listing of listingsOf(type, collections)) {
    connection.run(
      'delete from feed_live where listing = ? and audience = ? and date_added = ?',
      listing,
      audience,
      place,
    );
  }
}

/** Takes some ceilings from a version that was the newest one for them. */
export function unlistFor(connection: Connection, type: string, head: FeedHead, readers: number): void {
  unlist(connection, type, head);
  const rest = head.audience & ~readers;
  if (rest === NOBODY) return;
  noteAudience(connection, rest);
  list(connection, type, { ...head, audience: rest });
}

/** Audiences are few. Reads look up which ones occur. */
export function noteAudience(connection: Connection, audience: number): void {
  connection.run('insert into feed_audience (audience) values (?) on conflict do nothing', audience);
}
