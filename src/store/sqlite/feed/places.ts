// The SQL that finds the places (date_added) of the entries of a query, without their content.

import type { FeedQuery } from '../../stores.ts';
import type { Connection } from '../connection.ts';
import { newestOf, type Places } from './live-places.ts';
import { instantsOf, loggedOf, objectsOf } from './log-places.ts';

/**
 * The SQL is valid only in the read transaction that is open.
 * @param collection its number.
 */
export function placesOf(connection: Connection, query: FeedQuery, collection: number): Places {
  if (query.ids !== undefined) return objectsOf(query, query.ids, collection);
  const found = selectorsOf(query).map((versions) => {
    if (versions === 'last') return newestOf(connection, query, collection);
    if (versions === 'first' || versions === 'all') return loggedOf(connection, query, versions, collection);
    return instantsOf(query, versions, collection);
  });
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  // Limit each selector before the union.
  return {
    sql: found
      .map(({ sql }) => `select date_added from (${sql} order by date_added limit ?)`)
      .join(' union '),
    values: found.flatMap(({ values }) => [...values, query.limit + 1]),
  };
}

/** Each kind of selector is found by its own index. */
function selectorsOf({ versions = 'last' }: FeedQuery): ('last' | 'first' | 'all' | readonly string[])[] {
  if (typeof versions === 'string') return [versions];
  const named = (['last', 'first'] as const).filter((name) => versions.includes(name));
  const instants = versions.filter((version) => version !== 'last' && version !== 'first');
  return named.length > 0 && instants.length === 0 ? named : [...named, instants];
}
