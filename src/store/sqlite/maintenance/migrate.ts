// Bringing a database file to the schema of this program. The version of its schema is SQLite's `user_version`.

import { ServiceError } from '../../../domain/errors.ts';
import type { Connection } from '../connection.ts';
import type { Recognisable } from '../recognise.ts';

/** The steps that make the schema of one kind of file. A released step is never edited: a change is a new step. */
export interface Schema extends Recognisable {
  /** The version that the first step makes. Each further step makes the next one. */
  readonly firstVersion: number;
  readonly steps: readonly string[];
}

/** The version that the last step makes. */
export function schemaVersion({ firstVersion, steps }: Schema): number {
  return firstVersion + steps.length - 1;
}

/** The schema version of a file. A new file has version 0. */
export function storedVersion(connection: Connection): number {
  return Number(connection.row('pragma user_version')?.[0] ?? 0);
}

/**
 * The schema version of a file that this program can bring up to date.
 * @throws ServiceError `failed_precondition` if the program that wrote the file was newer, or too old.
 */
export function usableVersion(connection: Connection, schema: Schema): number {
  const stored = storedVersion(connection);
  const wanted = schemaVersion(schema);
  if (stored > wanted) {
    throw new ServiceError(
      'failed_precondition',
      `a newer version of this program wrote the store (schema ${stored}); this one reads schema ${wanted}`,
      { reason: 'STORE_TOO_NEW' },
    );
  }
  if (stored !== 0 && stored < schema.firstVersion) {
    throw new ServiceError(
      'failed_precondition',
      `an unreleased version of this program wrote the store (schema ${stored}), which cannot be brought up to date; ` +
        'start with an empty data folder',
      { reason: 'STORE_TOO_OLD' },
    );
  }
  return stored;
}

/**
 * Runs the steps that the file lacks, inside the transaction of the caller.
 * @throws ServiceError as `usableVersion` does.
 */
export function migrate(connection: Connection, schema: Schema): void {
  const stored = usableVersion(connection, schema);
  const wanted = schemaVersion(schema);
  const done = stored === 0 ? 0 : stored - schema.firstVersion + 1;
  for (const step of schema.steps.slice(done)) connection.exec(step);
  if (stored === wanted) return;
  connection.exec(`pragma application_id = ${schema.applicationId}; pragma user_version = ${wanted}`);
}
