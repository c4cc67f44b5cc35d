// Which entries a query of the feed is about: the SQL that finds their places, without their content.

import type { FeedQuery } from '../stores.ts';
import type { Connection } from './connection.ts';
import { newestOf } from './feed-live-places.ts';
import { loggedOf, objectsOf } from './feed-log-places.ts';
import type { Places } from './feed-range.ts';

/** Holds for the state of the database that `connection` reads just now. @param collection its number. */
export function placesOf(connection: Connection, query: FeedQuery, collection: number): Places {
  if (query.ids !== undefined) return objectsOf(query, query.ids, collection);
  if ((query.versions ?? 'last') !== 'last') return loggedOf(connection, query, collection);
  return newestOf(connection, query, collection);
}
