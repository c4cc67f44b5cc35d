// Recognising a file before anything is written into it. Each kind of file has an `application_id` of its own.

import type { DatabaseSync } from 'node:sqlite';
import { damageError } from './store-errors.ts';

/** A kind of file. */
export interface Recognisable {
  /** SQLite's `application_id`: four letters. */
  readonly applicationId: number;
  /** A table that every version of the schema had. */
  readonly firstTable: string;
}

/**
 * Accepts a file of this kind, a new file, and a file of this kind from before it had an `application_id`.
 * @throws ServiceError STORE_DAMAGED for any other database.
 */
export function recognise(database: DatabaseSync, path: string, kind: Recognisable): void {
  const { id, objects, known } = database
    .prepare(
      `select application_id as id, (select count(*) from sqlite_schema) as objects,
         (select count(*) from sqlite_schema where type = 'table' and name = ?) as known
       from pragma_application_id`,
    )
    .get(kind.firstTable) as { id: number; objects: number; known: number };
  if (id === kind.applicationId || (id === 0 && (objects === 0 || known > 0))) return;
  throw damageError(path, 'FOREIGN', 'a database of another program, or another file of a data folder');
}
