// Brings a database file to the schema of this program.

import { ServiceError } from '../../../domain/errors.ts';
import type { Connection } from '../connection.ts';

/**
 * Runs the steps that the file lacks, inside the transaction of the caller.
 * @param steps the list that made the schema of this kind of file.
 * @throws ServiceError `failed_precondition` when the file was written by a newer program.
 */
export function migrate(connection: Connection, steps: readonly string[]): void {
  const version = Number(connection.row('pragma user_version')?.[0] ?? 0);
  if (version > steps.length) {
    throw new ServiceError(
      'failed_precondition',
      'the store was written by a newer version of this program',
      {
        reason: 'STORE_TOO_NEW',
      },
    );
  }
  for (const step of steps.slice(version)) connection.database.exec(step);
  if (version < steps.length) connection.database.exec(`pragma user_version = ${steps.length}`);
}
