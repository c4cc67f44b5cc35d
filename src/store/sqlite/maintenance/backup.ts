// Backing up a data folder while the service runs. The backup is a folder with a copy of every file, each as of one
// instant.
//
// A read transaction is open during the copy. Without it SQLite starts the copy again after every write of another
// connection, and never ends beside a busy service. With it SQLite copies one state, and writers do not wait.

import { existsSync } from 'node:fs';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../../domain/errors.ts';
import { type Clock, toRfc3339 } from '../../../domain/instant.ts';
import type { Backup, BackupFile, OnProgress } from '../../driver.ts';
import { type DataFiles, dataFiles, fileHasContent, listDataFiles } from '../files.ts';
import { requirePaired } from '../pairing.ts';
import { asStoreError } from '../store-errors.ts';
import { BACKUP_FORMAT, type BackupManifest, MANIFEST, sha256Of } from './backup-manifest.ts';
import { claimFolder, sync } from './claimed-folder.ts';

/** Pages of one step: 16 MB, some milliseconds. */
const STEP_PAGES = 2_000;
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Only the owner can read the backup, because it holds the installation secret. The manifest is written last: a folder
 * without it is not a backup. Rejects with ServiceError `failed_precondition` if there is no store or `to` is not empty,
 * with STORE_DAMAGED if a file is lost or foreign, and with `unavailable` if a file cannot be read or written.
 */
export async function backUp(
  dataDir: string,
  to: string,
  clock: Clock,
  onProgress: OnProgress = () => {},
): Promise<Backup> {
  const dataFolder = dataFiles(dataDir);
  if (!fileHasContent(dataFolder.store) && !fileHasContent(dataFolder.usage)) {
    throw new ServiceError('failed_precondition', `there is no store in ${dataDir}`, { reason: 'NO_STORE' });
  }
  requireNothingLost(dataFolder);
  const folder = await claimFolder(to);
  const snapshots: Snapshot[] = [];
  try {
    snapshots.push(...listDataFiles(dataDir).filter(existsSync).map(takeSnapshot));
    const createdAt = toRfc3339(clock());
    const files: BackupFile[] = [];
    for (const [index, snapshot] of snapshots.entries()) {
      files.push(await copy(snapshot, to, (share) => onProgress((index + share) / snapshots.length)));
    }
    const manifest: BackupManifest = { format: BACKUP_FORMAT, createdAt, files };
    const path = join(to, MANIFEST);
    await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    await sync(path);
    await sync(to);
    return manifest;
  } catch (error) {
    await folder.abandon();
    throw asStoreError(error);
  } finally {
    for (const { database } of snapshots) database.close();
  }
}

/** A store of another schema can be backed up, so other faults do not count here. */
function requireNothingLost(files: DataFiles): void {
  try {
    requirePaired(files);
  } catch (error) {
    if (error instanceof ServiceError && error.details.reason === 'STORE_DAMAGED') throw error;
  }
}

interface Snapshot {
  readonly name: string;
  readonly database: DatabaseSync;
}

/** A connection that sees the state of this instant until it is closed. */
function takeSnapshot(path: string): Snapshot {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  // The snapshot is taken by the first read, not by `begin`.
  database.exec('begin; select count(*) from sqlite_schema');
  return { name: basename(path), database };
}

async function copy(
  { name, database }: Snapshot,
  folder: string,
  onProgress: OnProgress,
): Promise<BackupFile> {
  const path = join(folder, name);
  await backup(database, path, {
    rate: STEP_PAGES,
    progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / totalPages),
  });
  // Node does not report the last step.
  onProgress(1);
  makeSelfContained(path);
  await chmod(path, 0o600);
  await sync(path);
  const { size } = await stat(path);
  return { name, bytes: size, sha256: await sha256Of(path) };
}

/**
 * The copy is in WAL mode like its original. Switch it off: the copy is one file, without a log. Leave out the keys that sign
 * tokens, also from its free pages: whoever has one is any person for the service that runs.
 */
function makeSelfContained(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = delete; pragma secure_delete = on');
    const [signs] = database.prepare(`select 1 from sqlite_schema where name = 'openid_key'`).all();
    if (signs !== undefined) database.exec('delete from openid_key');
  } finally {
    database.close();
  }
}
