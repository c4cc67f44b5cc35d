// The SQL that finds the places (date_added) of the entries of a query, without their content.

import { versionSelectors } from '../../rules/version-selectors.ts';
import type { Connection } from '../connection.ts';
import { newestOf, type Places } from './live-places.ts';
import { instantsOf, loggedOf, objectsOf } from './log-places.ts';
import type { LogQuery } from './log-query.ts';

/**
 * The SQL is valid only in the read transaction that is open.
 * @param collection its number.
 */
export function placesOf(connection: Connection, query: LogQuery, collection: number): Places {
  if (query.ids !== undefined) return objectsOf(query, query.ids, collection);
  const { last, first, all, versions } = versionSelectors(query.versions);
  // Each kind of selector is found by its own index.
  const found: Places[] = [];
  if (last) found.push(newestOf(connection, query, collection));
  if (first) found.push(loggedOf(connection, query, 'first', collection));
  if (all) found.push(loggedOf(connection, query, 'all', collection));
  if (versions.length > 0 || found.length === 0) found.push(instantsOf(query, versions, collection));
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
