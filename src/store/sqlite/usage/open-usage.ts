// Opening the usage file. It is separate from the indicators, because a SQLite file has one write lock: a search must not
// wait for a batch of the pipeline.

import type { UsageReader, UsageStore } from '../../usage.ts';
import { asStoreError, Connection, guarded } from '../connection.ts';
import { makePrivateFile } from '../files.ts';
import { GroupCommit } from '../group-commit.ts';
import { migrate } from '../maintenance/migrate.ts';
import { USAGE_SCHEMA } from '../schema.ts';
import { createUsageReader } from './usage-reader.ts';
import { addUses, settleEvents, takeEvents, touchCredentials } from './usage-writer.ts';

/**
 * Opens the file. Creates it if it does not exist, and brings its schema up to date.
 * Rejects with ServiceError `unavailable` if the file cannot be opened or written.
 */
export async function openSqliteUsage(path: string): Promise<UsageStore> {
  let writing: Connection | undefined;
  try {
    makePrivateFile(path);
    writing = new Connection(path, { readOnly: false });
    prepare(writing);
    return createUsageStore(writing, new Connection(path, { readOnly: true }));
  } catch (error) {
    writing?.close();
    throw asStoreError(error);
  }
}

/** Opens the file for reading only. Rejects with ServiceError `unavailable` if it does not exist. */
export async function openSqliteUsageReader(path: string): Promise<UsageReader & Pick<UsageStore, 'close'>> {
  try {
    const reading = new Connection(path, { readOnly: true });
    return { ...createUsageReader(reading), close: async () => reading.close() };
  } catch (error) {
    throw asStoreError(error);
  }
}

function prepare(connection: Connection): void {
  connection.database.exec('begin immediate');
  try {
    migrate(connection, USAGE_SCHEMA);
    connection.database.exec('commit');
  } catch (error) {
    connection.database.exec('rollback');
    throw error;
  }
}

function createUsageStore(writing: Connection, reading: Connection): UsageStore {
  const groups = new GroupCommit(writing);
  const reader = createUsageReader(reading);
  return {
    ...reader,
    record: (uses, announce) => groups.write(guarded((tx: Connection) => addUses(tx, uses, announce))),
    touch: (credentials, at) =>
      groups.write(guarded((tx: Connection) => touchCredentials(tx, credentials, at))),
    takeEvents: async (limit) => {
      // A read is cheaper than a write, and most of the time there are no events.
      const { events } = await reader.outbox();
      return events === 0 ? [] : groups.write(guarded((tx: Connection) => takeEvents(tx, limit)));
    },
    settleEvents: (ids) => groups.write(guarded((tx: Connection) => settleEvents(tx, ids))),
    close: async () => {
      await groups.idle();
      reading.close();
      writing.close();
    },
  };
}
