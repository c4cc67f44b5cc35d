// Which entries a query of the feed is about: the SQL that finds their places, without their content.

import type { SQLInputValue } from 'node:sqlite';
import { visibleMarkings } from '../../domain/tlp.ts';
import { numberOf, TLP_MARKINGS } from '../../domain/vocabulary.ts';
import type { DateAdded, FeedQuery } from '../stores.ts';
import type { Connection } from './connection.ts';
import { bitOf, listingsFor } from './feed-listing.ts';
import { idToBlob } from './indicator-id.ts';
import { tlpColumn } from './tlp-column.ts';

export interface Places {
  /** Selects `date_added`, of which the caller takes the first ones in order. */
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Holds for the state of the database that `connection` reads just now. @param collection its number. */
export function placesOf(connection: Connection, query: FeedQuery, collection: number): Places {
  const { versions = 'last', ids } = query;
  if (versions !== 'last' || ids !== undefined) return selectedOf(query, collection);
  return newestOf(query, rangesOf(connection, query, collection), collection);
}

const RANGE = 'date_added > ? and date_added <= ?';
/** The sign keeps SQLite from going through the log, where another condition has the better index. */
const UNINDEXED_RANGE = '+date_added > ? and +date_added <= ?';

/**
 * The newest versions as of `until`, so that a walk sees one state of the feed throughout: those that are the newest
 * now, and those that were superseded since.
 */
function newestOf(query: FeedQuery, listed: readonly ListedRange[], collection: number): Places {
  const { types } = query;
  const range = rangeOf(query);
  const streams: string[] = [];
  const values: SQLInputValue[] = [];
  for (const { listing, tlp, mixed } of listed) {
    const narrowed = mixed && types !== undefined;
    streams.push(
      narrowed
        ? `select l.date_added from feed_live l cross join feed f on f.date_added = l.date_added
           where l.listing = ? and l.tlp = ? and l.date_added > ? and l.date_added <= ? and ${oneOf('f.type', types)}`
        : `select date_added from feed_live where listing = ? and tlp = ? and ${RANGE}`,
    );
    values.push(listing, tlp, ...range, ...(narrowed ? types : []));
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

/** A range of one listing that holds something. */
interface ListedRange {
  readonly listing: number;
  readonly tlp: number;
  readonly mixed: boolean;
}

/**
 * The ranges that hold anything for a query: most markings are rare or never used, and to merge a range costs more than
 * to see that it is empty.
 */
function rangesOf(connection: Connection, query: FeedQuery, collection: number): readonly ListedRange[] {
  const markings = visibleMarkings(query.ceiling).map(tlpColumn);
  const ranges = listingsFor(collection, query.types).flatMap(({ number, mixed }) =>
    markings.map((tlp): ListedRange => ({ listing: number, tlp, mixed })),
  );
  if (ranges.length === 0) return [];
  const probes = ranges.map(
    ({ listing, tlp }) => `exists (select 1 from feed_live where listing = ${listing} and tlp = ${tlp}
      and date_added > ?1 and date_added <= ?2)`,
  );
  const filled = connection.row(`select ${probes.join(', ')}`, ...rangeOf(query));
  return ranges.filter((_, index) => filled?.[index] === 1);
}

/** Exclusive, inclusive. */
function rangeOf({ after = Number.MIN_SAFE_INTEGER, until }: FeedQuery): readonly [DateAdded, DateAdded] {
  return [after, until];
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
