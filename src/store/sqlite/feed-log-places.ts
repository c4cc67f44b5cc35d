// The places of versions that are not the newest, which have no listings: read from the log itself, by object, by version,
// or along the log.

import type { SQLInputValue } from 'node:sqlite';
import { numberOf, TLP_MARKINGS } from '../../domain/vocabulary.ts';
import type { FeedQuery } from '../stores.ts';
import type { Connection } from './connection.ts';
import { feedKinds } from './feed-kinds.ts';
import { bitOf } from './feed-listing.ts';
import { oneOf, type Places, RANGE, rangeOf, UNINDEXED_RANGE } from './feed-range.ts';

/** Versions of some objects. */
export function objectsOf(query: FeedQuery, ids: readonly string[], collection: number): Places {
  const uuids = ids.map((id) => id.slice(id.indexOf('--') + 2).replaceAll('-', ''));
  return selected(
    `uuid in (select unhex(value) from json_each(?)) and ${oneOf('object_id')}`,
    [JSON.stringify(uuids), JSON.stringify(ids)],
    query,
    collection,
  );
}

/** Of any object: every version, the first ones, or those of some instants. */
export function loggedOf(connection: Connection, query: FeedQuery, collection: number): Places {
  const { versions = 'last', types } = query;
  const isByInstant = typeof versions !== 'string' && !versions.some((version) => SELECTORS.has(version));
  if (isByInstant) return selected('true', [], query, collection);

  const ceiling = numberOf(TLP_MARKINGS, query.ceiling);
  const kinds = feedKinds(connection);
  const wanted = kinds.filter(
    (kind) =>
      (kind.collections & bitOf(collection)) !== 0 &&
      kind.tlp <= ceiling &&
      (types === undefined || types.includes(kind.type)),
  );
  if (wanted.length === 0) return { sql: 'select date_added from feed where false', values: [] };
  // Where nothing is passed over, or too much for one statement, straight along the log.
  if (wanted.length === kinds.length || wanted.length > MOST_STREAMS)
    return selected(RANGE, rangeOf(query), query, collection);
  const version = versionCondition(query, collection);
  const stream = `select date_added from feed indexed by feed_kind
    where collections = ? and type = ? and tlp = ? and ${RANGE} and ${version.sql}`;
  return {
    sql: wanted.map(() => stream).join(' union all '),
    values: wanted.flatMap(({ collections, type, tlp }) => [
      ...[collections, type, tlp],
      ...rangeOf(query),
      ...version.values,
    ]),
  };
}

/** SQLite takes 500 in one statement; long before that the log itself is the shorter way. */
const MOST_STREAMS = 100;

/** @param condition finds the entries; all others that the query has are judged on what was found. */
function selected(
  condition: string,
  values: readonly SQLInputValue[],
  query: FeedQuery,
  collection: number,
): Places {
  const { types, ceiling } = query;
  const version = versionCondition(query, collection);
  return {
    sql: `select date_added from feed where ${condition} and ${UNINDEXED_RANGE} and tlp <= ? and collections & ? <> 0
      ${types === undefined ? '' : `and ${oneOf('+type')}`} and ${version.sql}`,
    values: [
      ...values,
      ...rangeOf(query),
      numberOf(TLP_MARKINGS, ceiling),
      bitOf(collection),
      ...(types === undefined ? [] : [JSON.stringify(types)]),
      ...version.values,
    ],
  };
}

/** Each takes one value: the end of the walk, and the bit of the collection. */
const SELECTORS: ReadonlyMap<string, string> = new Map([
  ['last', '(superseded_at is null or superseded_at > ?)'],
  ['first', 'joined & ? <> 0'],
]);

function versionCondition({ versions = 'last', until }: FeedQuery, collection: number): Places {
  if (versions === 'all') return { sql: 'true', values: [] };
  const wanted = typeof versions === 'string' ? [versions] : versions;
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  for (const [name, condition] of SELECTORS) {
    if (!wanted.includes(name)) continue;
    conditions.push(condition);
    values.push(name === 'last' ? until : bitOf(collection));
  }
  const instants = wanted.filter((version) => !SELECTORS.has(version));
  if (instants.length > 0) {
    conditions.push(oneOf('version'));
    values.push(JSON.stringify(instants));
  }
  return { sql: `(${conditions.join(' or ')})`, values };
}
