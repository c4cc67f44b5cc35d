// Opening the usage file. It is separate from the indicators, because a SQLite file has one write lock: a search must not
// wait for a batch of the pipeline.

import type { Soundness } from '../../damage.ts';
import type { CacheSizes } from '../../driver.ts';
import type { UsageReader, UsageStore } from '../../usage.ts';
import { Connection } from '../connection.ts';
import { type DataFiles, makePrivateFile } from '../files.ts';
import { GroupCommit } from '../group-commit.ts';
import { migrate } from '../maintenance/migrate.ts';
import { OpenFile } from '../open-file.ts';
import { noteMetered, type Pairing, pairUsage, readPairing, requireUsageOrNothing } from '../pairing.ts';
import { watchSoundness } from '../soundness.ts';
import { asStoreError, guarded } from '../store-errors.ts';
import { noteConsumers } from './consumers.ts';
import { createUsageReader } from './usage-reader.ts';
import { USAGE_SCHEMA } from './usage-schema.ts';
import { addRefusals, addUses, settleEvents, takeEvents, touchCredentials } from './usage-writer.ts';

/**
 * Opens the usage file of a data folder. Creates it if the store never had one, and brings its schema up to date.
 * Rejects with ServiceError `unavailable` if the file cannot be opened or written, or is damaged.
 */
export async function openSqliteUsage(files: DataFiles, caches?: CacheSizes): Promise<UsageStore> {
  const path = files.usage;
  let writing: Connection | undefined;
  try {
    const pairing = readPairing(files);
    requireUsageOrNothing(files, pairing);
    makePrivateFile(path);
    const file = new OpenFile(path);
    writing = new Connection(file, {
      readOnly: false,
      schema: USAGE_SCHEMA,
      cacheBytes: caches?.writing,
    });
    prepare(writing, pairing);
    if (pairing?.metered === false) noteMetered(files, true);
    const reading = new Connection(file, { readOnly: true, cacheBytes: caches?.reading });
    return {
      ...createUsageStore(writing, reading),
      ...watchSoundness(file, USAGE_SCHEMA, pairing?.mark),
    };
  } catch (error) {
    writing?.close();
    throw asStoreError(error, path);
  }
}

/** Opens the file for reading only. Rejects with ServiceError `unavailable` if it does not exist. */
export async function openSqliteUsageReader(
  { usage }: DataFiles,
  caches?: CacheSizes,
): Promise<UsageReader & Soundness & Pick<UsageStore, 'close'>> {
  try {
    const file = new OpenFile(usage);
    const reading = new Connection(file, { readOnly: true, cacheBytes: caches?.reading });
    return {
      ...createUsageReader(reading),
      ...watchSoundness(file, USAGE_SCHEMA, undefined),
      close: async () => reading.close(),
    };
  } catch (error) {
    throw asStoreError(error, usage);
  }
}

function prepare(connection: Connection, pairing: Pairing | undefined): void {
  connection.exec('begin immediate');
  try {
    migrate(connection, USAGE_SCHEMA);
    if (pairing !== undefined) pairUsage(connection, pairing);
    connection.exec('commit');
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}

function createUsageStore(writing: Connection, reading: Connection): Omit<UsageStore, keyof Soundness> {
  const groups = new GroupCommit(writing);
  const reader = createUsageReader(reading);
  return {
    ...reader,
    record: (uses, announce) => groups.write(guarded((tx: Connection) => addUses(tx, uses, announce))),
    refuse: (refusals) => groups.write(guarded((tx: Connection) => addRefusals(tx, refusals))),
    noteConsumers: (consumers) => groups.write(guarded((tx: Connection) => noteConsumers(tx, consumers))),
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
