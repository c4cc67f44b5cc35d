// The rows of the listings: a newest version has one in each listing that holds it.

import type { Connection } from '../connection.ts';
import { listingsOf } from './listing.ts';
import type { Newest } from './newest.ts';

type Listed = Pick<Newest, 'dateAdded' | 'tlp' | 'collections'>;

export function list(connection: Connection, type: string, { dateAdded, tlp, collections }: Listed): void {
  for (const listing of listingsOf(type, collections)) {
    connection.run(
      'insert into feed_live (listing, tlp, date_added) values (?, ?, ?)',
      listing,
      tlp,
      dateAdded,
    );
  }
}

export function unlist(connection: Connection, type: string, { dateAdded, tlp, collections }: Listed): void {
  for (const listing of listingsOf(type, collections)) {
    connection.run(
      'delete from feed_live where listing = ? and tlp = ? and date_added = ?',
      listing,
      tlp,
      dateAdded,
    );
  }
}
