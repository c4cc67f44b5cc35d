// Declared collections: their numbers, and filling a collection with objects that were published before.

import { ServiceError } from '../../../domain/errors.ts';
import type { CollectionWriter, StoredCollection } from '../../feed.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';
import { guarded } from '../store-errors.ts';
import { bitOf, LAST_COLLECTION, listingsOf } from './listing.ts';

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
    fill: guarded((id: string, objects: readonly string[]) => fill(connection, id, objects)),
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

function fill(connection: Connection, id: string, objects: readonly string[]): void {
  const bit = bitOf(collectionNumber(connection, id));
  for (const object of objects) {
    const uuid = stixIdToBlob(object);
    fillRows(connection, bit, 'uuid = ?', uuid);
    fillRows(connection, bit, 'owner = ?', uuid);
  }
}

/**
 * Old versions may appear in the collection behind the cursor of a poller. Nobody polls a new collection yet. After a
 * change of the filter, pollers miss the old versions; decision 0016 says so and recommends a new collection instead.
 */
function fillRows(connection: Connection, bit: number, which: string, uuid: Buffer): void {
  const rows = connection.rows(
    `select date_added, object_id, type, tlp, superseded_at from feed
     where ${which} and collections & ? = 0 order by date_added`,
    uuid,
    bit,
  ) as [number, string, string, number, number | null][];
  const firsts = new Set<string>();
  for (const [dateAdded, objectId, type, tlp, supersededAt] of rows) {
    const joins = !firsts.has(objectId) && becomesFirst(connection, objectId, bit, dateAdded);
    firsts.add(objectId);
    connection.run(
      'update feed set collections = collections | ?, joined = joined | ? where date_added = ?',
      bit,
      joins ? bit : 0,
      dateAdded,
    );
    if (supersededAt !== null) continue;
    for (const listing of listingsOf(type, bit)) {
      connection.run(
        'insert into feed_live (listing, tlp, date_added) values (?, ?, ?) on conflict do nothing',
        listing,
        tlp,
        dateAdded,
      );
    }
  }
}

/** Whether a version becomes the first one of its object in a collection. If so, it takes that role from a later one. */
function becomesFirst(connection: Connection, objectId: string, bit: number, dateAdded: number): boolean {
  const joined = connection.row(
    'select date_added from feed where uuid = ? and object_id = ? and joined & ? <> 0',
    stixIdToBlob(objectId),
    objectId,
    bit,
  )?.[0] as number | undefined;
  if (joined === undefined) return true;
  if (joined < dateAdded) return false;
  connection.run('update feed set joined = joined & ~? where date_added = ?', bit, joined);
  return true;
}
