// Reading the append-only feed log: pages of entries, the newest dateAdded, and the declared collections.

import type { FeedEntry, FeedPage, FeedQuery, FeedReader } from '../../feed.ts';
import type { Connection } from '../connection.ts';
import { readRows } from '../read-page.ts';
import { guarded } from '../store-errors.ts';
import { findCollection, readCollections } from './collections.ts';
import { WHOLE_FEED } from './listing.ts';
import { lastDateAdded } from './log-writer.ts';
import { placesOf } from './places.ts';

export function createFeedReader(connection: Connection): FeedReader {
  return {
    versions: guarded((query: FeedQuery) =>
      readPage(connection, query, VERSIONS, ([dateAdded, id, version]) => ({
        dateAdded: dateAdded as number,
        id: id as string,
        version: version as string,
      })),
    ),
    objects: guarded((query: FeedQuery) =>
      readPage(connection, query, OBJECTS, ([dateAdded, object]) => ({
        dateAdded: dateAdded as number,
        object: object as string,
      })),
    ),
    last: guarded(() => lastDateAdded(connection)),
    collections: guarded(() => readCollections(connection)),
  };
}

function collectionOf(connection: Connection, id: string | undefined): number | undefined {
  return id === undefined ? WHOLE_FEED : findCollection(connection, id);
}

/** The columns to read at each place. SQLite keeps the order of a cross join, and so the order of the places. */
const VERSIONS = {
  columns: 'f.date_added, f.object_id, f.version',
  table: 'cross join feed f on f.date_added = place.date_added',
};
const OBJECTS = {
  columns: 'o.date_added, o.object',
  table: 'cross join feed_object o on o.date_added = place.date_added',
};

function readPage<Entry extends FeedEntry>(
  connection: Connection,
  query: FeedQuery,
  { columns, table }: typeof OBJECTS,
  entryOf: (row: readonly unknown[]) => Entry,
): FeedPage<Entry> {
  const collection = collectionOf(connection, query.collection);
  if (collection === undefined || query.types?.length === 0) return { entries: [], more: false };
  const { rows, more } = connection.snapshot(() => {
    const { sql, values } = placesOf(connection, query, collection);
    // The limit ends the query: each place has exactly one row.
    const page = `select ${columns} from (${sql} order by date_added limit ?) place ${table}`;
    return readRows(connection, page, values, query.limit);
  });
  return { entries: rows.map(entryOf), more };
}
