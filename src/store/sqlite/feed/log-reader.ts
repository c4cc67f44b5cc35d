// Reading the append-only feed log: pages of entries, its bounds for a ceiling, and the declared collections.

import type { TlpMarking } from '../../../domain/vocabulary.ts';
import type { DateAdded, FeedEntry, FeedObject, FeedPage, FeedQuery, FeedReader, Place } from '../../feed.ts';
import type { Connection } from '../connection.ts';
import { readRows } from '../read-page.ts';
import { guarded } from '../store-errors.ts';
import { findCollection, readCollections } from './collections.ts';
import { readBounds, shownDate } from './dates.ts';
import { WHOLE_FEED } from './listing.ts';
import { logQuery } from './log-query.ts';
import { PageMemory } from './page-memory.ts';
import { placesOf } from './places.ts';
import { readBlocks } from './read-blocks.ts';

export function createFeedReader(connection: Connection): FeedReader {
  const pages = new PageMemory();
  return {
    versions: guarded((query: FeedQuery) =>
      readPage(connection, query, VERSIONS, (place, dateAdded, [, id, version]) => ({
        place,
        dateAdded,
        id: id as string,
        version: version as string,
      })),
    ),
    objects: guarded((query: FeedQuery) => readPage(connection, query, OBJECTS, objectOf)),
    blocks: guarded((query: FeedQuery) => {
      const collection = collectionOf(connection, query.collection);
      if (collection === undefined || query.types?.length === 0) return { entries: [], more: false };
      const readObjects = () => pageAt(connection, query, collection, OBJECTS, objectOf);
      return connection.snapshot(() =>
        pages.recall(connection, query, () => readBlocks(connection, query, collection, readObjects)),
      );
    }),
    bounds: guarded((ceiling: TlpMarking, addedAfter?: DateAdded) =>
      readBounds(connection, ceiling, addedAfter),
    ),
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

/** Makes an entry from its place, its date and the columns. */
type EntryOf<Entry extends FeedEntry> = (
  place: Place,
  dateAdded: DateAdded,
  row: readonly unknown[],
) => Entry;

const objectOf: EntryOf<FeedObject> = (place, dateAdded, [, object]) => ({
  place,
  dateAdded,
  object: object as string,
});

function readPage<Entry extends FeedEntry>(
  connection: Connection,
  query: FeedQuery,
  columns: typeof OBJECTS,
  entryOf: EntryOf<Entry>,
): FeedPage<Entry> {
  const collection = collectionOf(connection, query.collection);
  if (collection === undefined || query.types?.length === 0) return { entries: [], more: false };
  return connection.snapshot(() => pageAt(connection, query, collection, columns, entryOf));
}

/** Must be called in a read transaction. @param collection its number. */
function pageAt<Entry extends FeedEntry>(
  connection: Connection,
  query: FeedQuery,
  collection: number,
  { columns, table }: typeof OBJECTS,
  entryOf: EntryOf<Entry>,
): FeedPage<Entry> {
  const asked = logQuery(connection, query);
  const { sql, values } = placesOf(connection, asked, collection);
  const shown = asked.hasOtherDates ? shownDate(connection, 'place.date_added', query.ceiling) : undefined;
  // The limit ends the query: each place has exactly one row.
  const page = `select ${columns} ${shown === undefined ? '' : `, ${shown}`}
    from (${sql} order by date_added limit ?) place ${table}`;
  const { rows, more } = readRows(connection, page, values, query.limit);
  const entries = rows.map((row) => {
    const place = row[0] as Place;
    return entryOf(place, shown === undefined ? place : (row.at(-1) as DateAdded), row);
  });
  return { entries, more };
}
