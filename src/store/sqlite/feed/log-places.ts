// The places (date_added) of versions that no listing holds: found by object, by version, or along the log.

import { readersAt } from '../../../domain/audience.ts';
import type { FeedQuery } from '../../feed.ts';
import { versionSelectors } from '../../rules/version-selectors.ts';
import type { Connection } from '../connection.ts';
import { findStixUuid } from '../id-column.ts';
import { bitOf, IN_DOUBT } from './listing.ts';
import { newestOf, oneOf, type Places, RANGE, UNINDEXED_RANGE } from './live-places.ts';
import { type LogQuery, rangeOf } from './log-query.ts';
import { feedPartitions } from './partitions.ts';

/** Versions of some objects. */
export function objectsOf(query: FeedQuery, ids: readonly string[], collection: number): Places {
  const uuids = ids.flatMap((id) => findStixUuid(id)?.toString('hex') ?? []);
  return judged(
    {
      sql: `feed where uuid in (select unhex(value) from json_each(?)) and ${oneOf('object_id')}`,
      values: [JSON.stringify(uuids), JSON.stringify(ids)],
    },
    anyOf(query, collection),
    query,
    collection,
  );
}

/** Versions with one of these timestamps, of any object. */
export function instantsOf(query: FeedQuery, instants: readonly string[], collection: number): Places {
  const found = { sql: `feed where ${oneOf('version')}`, values: [JSON.stringify(instants)] };
  return judged(found, EVERY_VERSION, query, collection);
}

/** All versions, or the first ones, of any object. */
export function loggedOf(
  connection: Connection,
  query: LogQuery,
  versions: 'first' | 'all',
  collection: number,
): Places {
  const isFirst = versions === 'first';
  const version = isFirst ? firstIn(query, collection) : EVERY_VERSION;
  const partitions = feedPartitions(connection, query, MOST_PARTITIONS)?.filter(
    ({ collections }) => (collections & bitOf(collection)) !== 0,
  );
  if (partitions === undefined || partitions.length > MOST_STREAMS) {
    const objects = fewObjectsOf(connection, query, collection);
    if (objects !== undefined) return objectsOf({ ...query, versions }, objects, collection);
    // Too many objects match for a lookup, so a scan of the log finds a page soon.
    return judged({ sql: `feed where ${RANGE}`, values: rangeOf(query) }, version, query, collection);
  }
  if (partitions.length === 0) return { sql: 'select 0 as date_added where false', values: [] };
  const stream = `select date_added from feed indexed by ${isFirst ? 'feed_joined_partition' : 'feed_partition'}
    where type = ? and audience = ? and collections = ? and ${RANGE} and ${version.sql}`;
  return {
    sql: partitions.map(() => stream).join(' union all '),
    values: partitions.flatMap(({ type, audience, collections }) => [
      ...[type, audience, collections],
      ...rangeOf(query),
      ...version.values,
    ]),
  };
}

/** The objects with at least one version that the query can see. Undefined if there are more than FEW_OBJECTS. */
function fewObjectsOf(
  connection: Connection,
  query: LogQuery,
  collection: number,
): readonly string[] | undefined {
  // An object never leaves a collection, so its newest version decides.
  const { sql, values } = newestOf(
    connection,
    { ...query, after: Number.MIN_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER },
    collection,
  );
  const rows = connection.rows(
    `select f.object_id from (${sql} order by date_added limit ?) place
     cross join feed f on f.date_added = place.date_added`,
    ...values,
    FEW_OBJECTS + 1,
  );
  return rows.length > FEW_OBJECTS ? undefined : rows.map(([id]) => id as string);
}

const FEW_OBJECTS = 1_000;
/** SQLite allows 500 parts of a compound select. */
const MOST_STREAMS = 100;
/** Partitions to look at, of which only those of one collection become streams. Finding this many takes 2 ms. */
const MOST_PARTITIONS = 4 * MOST_STREAMS;

/** A condition with its values. */
type Condition = Places;

/**
 * Applies the rest of the query to the entries that an index found.
 * @param found the table and the condition that uses the index.
 * @param version selects among the versions of an object.
 */
function judged(found: Condition, version: Condition, query: FeedQuery, collection: number): Places {
  const { types, ceiling } = query;
  return {
    sql: `select date_added from ${found.sql} and ${UNINDEXED_RANGE} and audience & ? <> 0 and collections & ? <> 0
      ${types === undefined ? '' : `and ${oneOf('+type')}`} and ${version.sql}`,
    values: [
      ...found.values,
      ...rangeOf(query),
      readersAt(ceiling),
      bitOf(collection),
      ...(types === undefined ? [] : [JSON.stringify(types)]),
      ...version.values,
    ],
  };
}

const EVERY_VERSION: Condition = { sql: 'true', values: [] };

/**
 * The partial indexes of first versions hold only rows with `joined <> 0`, so the condition names it. A row in doubt is the
 * first of its object for some ceiling, not always for this one.
 */
function firstIn({ ceiling }: FeedQuery, collection: number): Condition {
  const bit = bitOf(collection);
  return {
    sql: `joined <> 0 and joined & ? <> 0 and (joined & ${IN_DOUBT} = 0 or not exists (
      select 1 from feed e where e.uuid = feed.uuid and e.object_id = feed.object_id
      and e.date_added < feed.date_added and e.audience & ? <> 0 and e.collections & ? <> 0
    ))`,
    values: [bit, readersAt(ceiling), bit],
  };
}

/** The newest version of its object as of `until`. */
function newestAsOf({ ceiling, until }: FeedQuery): Condition {
  return {
    sql: `not exists (
      select 1 from feed n where n.uuid = feed.uuid and n.object_id = feed.object_id
      and n.version > feed.version and n.date_added <= ? and n.audience & ? <> 0
    )`,
    values: [until, readersAt(ceiling)],
  };
}

/** Versions that match one of the selectors of the query. */
function anyOf(query: FeedQuery, collection: number): Condition {
  const { last, first, all, versions } = versionSelectors(query.versions);
  if (all) return EVERY_VERSION;
  const selected: Condition[] = [];
  if (last) selected.push(newestAsOf(query));
  if (first) selected.push(firstIn(query, collection));
  if (versions.length > 0 || selected.length === 0)
    selected.push({ sql: oneOf('version'), values: [JSON.stringify(versions)] });
  return {
    sql: `(${selected.map(({ sql }) => sql).join(' or ')})`,
    values: selected.flatMap(({ values }) => values),
  };
}
