// The pairing of the two files of a data folder. Once both were made, neither may be missing, and both have the mark of
// their installation. So a lost or foreign file never becomes an empty one in silence.

import { Connection } from './connection.ts';
import { type DataFiles, fileHasContent } from './files.ts';
import { schemaVersion, storedVersion, usableVersion } from './maintenance/migrate.ts';
import { OpenFile } from './open-file.ts';
import { STORE_SCHEMA } from './schema.ts';
import { damageError } from './store-errors.ts';
import { USAGE_SCHEMA } from './usage/usage-schema.ts';

/** What the store knows of the usage file. */
export interface Pairing {
  readonly mark: Uint8Array;
  /** Whether the usage file was made. */
  readonly metered: boolean;
}

/**
 * A new store may be made only where nothing of an older one is left.
 * @throws ServiceError STORE_DAMAGED if the store is missing or empty beside its log or a usage file in use.
 */
export function requireStoreOrNothing({ store, usage }: DataFiles): void {
  if (fileHasContent(store)) return;
  const trace = traceOfStore(store, usage);
  // Another process may have made the store since the first look. It writes the store before anything beside it.
  if (trace !== undefined && !fileHasContent(store)) throw damageError(store, 'MISSING', trace);
}

/** What only a store leaves. */
function traceOfStore(store: string, usage: string): string | undefined {
  if (fileHasContent(`${store}-wal`)) return 'its log tis.db-wal is there';
  return fileHasContent(usage) && readUsageMark(usage) !== undefined
    ? 'usage.db beside it was used'
    : undefined;
}

/**
 * A new usage file may be made only for a store that never had one.
 * @throws ServiceError STORE_DAMAGED if it is missing or empty although the store had one.
 */
export function requireUsageOrNothing({ usage }: DataFiles, pairing: Pairing | undefined): void {
  if (fileHasContent(usage)) return;
  if (pairing?.metered === true) throw damageError(usage, 'MISSING', 'the store has recorded use in it');
  // As for the store, another process may make the file now.
  if (fileHasContent(`${usage}-wal`) && !fileHasContent(usage))
    throw damageError(usage, 'MISSING', 'its log usage.db-wal is there');
}

/** Undefined where there is no store yet. */
export function readPairing({ store }: DataFiles): Pairing | undefined {
  if (!fileHasContent(store)) return undefined;
  const connection = new Connection(new OpenFile(store), { readOnly: true, schema: STORE_SCHEMA });
  try {
    if (usableVersion(connection, STORE_SCHEMA) === 0) return undefined;
    const row = connection.row('select mark, metered from installation');
    return row === undefined ? undefined : { mark: row[0] as Uint8Array, metered: row[1] === 1 };
  } finally {
    connection.close();
  }
}

/** The mark in a usage file. Undefined in one that belongs to no store yet. */
function readUsageMark(usage: string): Uint8Array | undefined {
  const connection = new Connection(new OpenFile(usage), { readOnly: true, schema: USAGE_SCHEMA });
  try {
    return usableVersion(connection, USAGE_SCHEMA) === 0 ? undefined : findMark(connection);
  } finally {
    connection.close();
  }
}

function findMark(connection: Connection): Uint8Array | undefined {
  return connection.row('select mark from installation')?.[0] as Uint8Array | undefined;
}

/**
 * Gives a new usage file the mark of its store, inside the transaction of the caller.
 * @throws ServiceError STORE_DAMAGED if the file has the mark of another installation.
 */
export function pairUsage(connection: Connection, { mark }: Pairing): void {
  connection.run('insert into installation (id, mark) values (1, ?) on conflict do nothing', mark);
  requirePair(connection, mark);
}

/** @throws ServiceError STORE_DAMAGED if a usage file has the mark of another installation. */
export function requirePair(usage: Connection, mark: Uint8Array): void {
  const found = findMark(usage);
  if (found !== undefined && Buffer.compare(found, mark) !== 0)
    throw damageError(usage.file.path, 'OTHER_INSTALLATION', 'its mark is not that of tis.db');
}

/**
 * Both files are there, and of one installation.
 * @throws ServiceError STORE_DAMAGED otherwise.
 */
export function requirePaired(files: DataFiles): void {
  requireStoreOrNothing(files);
  const pairing = readPairing(files);
  requireUsageOrNothing(files, pairing);
  if (pairing === undefined || !fileHasContent(files.usage)) return;
  const usage = new Connection(new OpenFile(files.usage), { readOnly: true, schema: USAGE_SCHEMA });
  try {
    if (storedVersion(usage) === schemaVersion(USAGE_SCHEMA)) requirePair(usage, pairing.mark);
  } finally {
    usage.close();
  }
}

/** Notes in the store whether it has a usage file. */
export function noteMetered({ store }: DataFiles, metered: boolean): void {
  const connection = new Connection(new OpenFile(store), { readOnly: false, schema: STORE_SCHEMA });
  try {
    connection.run('update installation set metered = ?', metered ? 1 : 0);
  } finally {
    connection.close();
  }
}
