// The append-only feed log: every published version once, in one order for all readers. Reading it.

import type { SQLInputValue } from 'node:sqlite';
import { visibleMarkings } from '../../domain/tlp.ts';
import { numberOf, TLP_MARKINGS } from '../../domain/vocabulary.ts';
import type { FeedEntry, FeedPage, FeedQuery, FeedReader } from '../stores.ts';
import type { Connection } from './connection.ts';
import { lastDateAdded } from './feed-append.ts';
import { findCollection, readCollections } from './feed-collections.ts';
import { bitOf, listingsFor, WHOLE_FEED } from './feed-listing.ts';
import { idToBlob } from './indicator-id.ts';
import { guarded } from './indicator-reader.ts';
import { tlpColumn } from './tlp-column.ts';

export function createFeedReader(connection: Connection): FeedReader {
  return {
    page: guarded((query: FeedQuery): FeedPage => {
      const collection = collectionOf(connection, query.collection);
      if (collection === undefined || query.types?.length === 0) return { entries: [], more: false };
      const rows = readPage(connection, query, collection);
      const entries = rows.slice(0, query.limit).map(
        ([dateAdded, id, type, version, object]): FeedEntry => ({
          dateAdded: dateAdded as number,
          id: id as string,
          type: type as string,
          version: version as string,
          object: object as string,
        }),
      );
      return { entries, more: rows.length > query.limit };
    }),
    last: guarded(() => lastDateAdded(connection)),
    collections: guarded(() => readCollections(connection)),
  };
}

function collectionOf(connection: Connection, id: string | undefined): number | undefined {
  return id === undefined ? WHOLE_FEED : findCollection(connection, id);
}

/** One row more than the limit where there is one. */
function readPage(connection: Connection, query: FeedQuery, collection: number): unknown[][] {
  const { versions = 'last', ids } = query;
  const { sql, values } =
    versions === 'last' && ids === undefined ? newestOf(query, collection) : selectedOf(query, collection);
  // cross join: SQLite keeps this order, and with it that of the places.
  return connection.rows(
    `select f.date_added, f.object_id, f.type, f.version, o.object
     from (${sql} order by date_added limit ?) place
     cross join feed f on f.date_added = place.date_added
     cross join feed_object o on o.date_added = place.date_added`,
    ...values,
    query.limit + 1,
  );
}

interface Places {
  /** Selects `date_added`, of which the caller takes the first ones in order. */
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

const RANGE = 'date_added > ? and date_added <= ?';
/** The sign keeps SQLite from going through the log, where another condition has the better index. */
const UNINDEXED_RANGE = '+date_added > ? and +date_added <= ?';

/**
 * The newest versions as of `until`, so that a walk sees one state of the feed throughout: those that are the newest
 * now, and those that were superseded since.
 */
function newestOf(query: FeedQuery, collection: number): Places {
  const { types } = query;
  const range = [query.after ?? Number.MIN_SAFE_INTEGER, query.until];
  const markings = visibleMarkings(query.ceiling).map(tlpColumn);
  const streams: string[] = [];
  const values: SQLInputValue[] = [];
  for (const { number, mixed } of listingsFor(collection, types)) {
    for (const marking of markings) {
      const narrowed = mixed && types !== undefined;
      streams.push(
        narrowed
          ? `select l.date_added from feed_live l cross join feed f on f.date_added = l.date_added
             where l.listing = ? and l.tlp = ? and l.date_added > ? and l.date_added <= ? and ${oneOf('f.type', types)}`
          : `select date_added from feed_live where listing = ? and tlp = ? and ${RANGE}`,
      );
      values.push(number, marking, ...range, ...(narrowed ? types : []));
    }
  }
  streams.push(
    `select date_added from feed indexed by feed_superseded where superseded_at > ? and ${UNINDEXED_RANGE} and tlp <= ? and collections & ? <> 0
     ${types === undefined ? '' : `and ${oneOf('type', types)}`}`,
  );
  values.push(
    query.until,
    ...range,
    numberOf(TLP_MARKINGS, query.ceiling),
    bitOf(collection),
    ...(types ?? []),
  );
  return { sql: streams.join(' union all '), values };
}

/** Some objects, or other versions than the newest: read from the log itself. */
function selectedOf(query: FeedQuery, collection: number): Places {
  const { ids, types, versions = 'last', until, ceiling, after = Number.MIN_SAFE_INTEGER } = query;
  const bit = bitOf(collection);
  const clauses = [ids === undefined ? RANGE : UNINDEXED_RANGE, 'tlp <= ?', 'collections & ? <> 0'];
  const values: SQLInputValue[] = [after, until, numberOf(TLP_MARKINGS, ceiling), bit];
  if (ids !== undefined) {
    const uuids = ids.flatMap((id) => idToBlob(id.slice(id.indexOf('--') + 2)) ?? []);
    clauses.push(oneOf('uuid', uuids), oneOf('object_id', ids));
    values.push(...uuids, ...ids);
  }
  if (types !== undefined) {
    clauses.push(oneOf('type', types));
    values.push(...types);
  }
  if (versions !== 'all') {
    const wanted = typeof versions === 'string' ? [versions] : versions;
    clauses.push(`(${wanted.map((version) => SELECTORS[version] ?? 'version = ?').join(' or ')})`);
    for (const version of wanted) {
      if (version === 'last') values.push(until);
      else values.push(version === 'first' ? bit : version);
    }
  }
  return { sql: `select date_added from feed where ${clauses.join(' and ')}`, values };
}

/** Each takes one value: the end of the walk, and the bit of the collection. */
const SELECTORS: Readonly<Record<string, string>> = {
  last: '(superseded_at is null or superseded_at > ?)',
  first: 'joined & ? <> 0',
};

function oneOf(column: string, wanted: readonly unknown[]): string {
  return `${column} in (${wanted.map(() => '?').join(', ')})`;
}
