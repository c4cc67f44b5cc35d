// Declared collections and their numbers.

import type { Audience } from '../../../domain/audience.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { CollectionWriter, StoredCollection } from '../../feed.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';
import { fillCollection } from './filling.ts';
import { bitOf, LAST_COLLECTION } from './listing.ts';

export function createCollectionWriter(connection: Connection): CollectionWriter {
  return {
    declared: guarded(() => readCollections(connection)),
    declare: guarded((collection: StoredCollection) => declare(connection, collection)),
    retire: guarded((keep: readonly string[]) => {
      connection.run(
        `update feed_collection set definition = null, filled = 0
         where id not in (select value from json_each(?))`,
        JSON.stringify(keep),
      );
    }),
    fill: guarded((id: string, objects: readonly string[], audience: Audience) =>
      fillCollection(connection, bitOf(collectionNumber(connection, id)), objects, audience),
    ),
    filled: guarded((id: string) => {
      connection.run('update feed_collection set filled = 1 where id = ?', id);
    }),
    outgrown: guarded((id: string) => {
      connection.run('update feed_collection set filled = 0 where id = ?', id);
    }),
  };
}

/** The number of a collection. Undefined if it was never declared. */
export function findCollection(connection: Connection, id: string): number | undefined {
  return connection.row('select number from feed_collection where id = ?', id)?.[0] as number | undefined;
}

/** @throws TypeError if it was never declared, which is a bug of the caller. */
export function collectionNumber(connection: Connection, id: string): number {
  const number = findCollection(connection, id);
  if (number === undefined) throw new TypeError(`collection ${id} was not declared`);
  return number;
}

export function readCollections(connection: Connection): StoredCollection[] {
  return connection
    .rows('select id, definition from feed_collection where definition is not null order by number')
    .map(([id, definition]) => ({ id: id as string, definition: definition as string }));
}

function declare(connection: Connection, { id, definition }: StoredCollection): boolean {
  const known = connection.row(
    'update feed_collection set definition = ? where id = ? returning filled',
    definition,
    id,
  );
  if (known !== undefined) return known[0] === 1;
  const last = connection.row('select coalesce(max(number), 0) from feed_collection')?.[0] as number;
  if (last >= LAST_COLLECTION) {
    throw new ServiceError(
      'failed_precondition',
      `a feed has at most ${LAST_COLLECTION} declared collections`,
      {
        reason: 'TOO_MANY_COLLECTIONS',
      },
    );
  }
  connection.run(
    'insert into feed_collection (number, id, definition, filled) values (?, ?, ?, 0)',
    last + 1,
    id,
    definition,
  );
  return false;
}
