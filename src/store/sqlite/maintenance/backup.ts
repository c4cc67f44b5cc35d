// A backup while the service runs: a folder with a copy of every file of the data folder, each as of one instant.
//
// The copy is taken behind a read transaction. Without one SQLite begins again whenever another connection has written
// between two steps, and beside a busy service never ends; with one it copies the state of that instant, and writers
// wait for nothing.

import { existsSync } from 'node:fs';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../../domain/errors.ts';
import { type Clock, toRfc3339 } from '../../../domain/instant.ts';
import type { Backup, BackupFile, OnProgress } from '../../driver.ts';
import { asStoreError } from '../connection.ts';
import { dataFiles, listDataFiles } from '../files.ts';
import { BACKUP_FORMAT, type BackupManifest, MANIFEST, sha256Of } from './backup-manifest.ts';
import { claimFolder, sync } from './claimed-folder.ts';

/** Pages copied at a time: 16 MB, some milliseconds. */
const STEP_PAGES = 2_000;
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Backs up a data folder. The backup holds the secret of the installation and is readable by its owner only; without its
 * manifest, which is written last, it counts as none.
 * @param to a folder that is not there, or is empty.
 * @throws ServiceError `failed_precondition` when there is no store, or something is in the way; `unavailable` when a
 *   file cannot be read or written.
 */
export async function backUp(
  dataDir: string,
  to: string,
  clock: Clock,
  onProgress: OnProgress = () => {},
): Promise<Backup> {
  if (!existsSync(dataFiles(dataDir).store)) {
    throw new ServiceError('failed_precondition', `there is no store in ${dataDir}`, { reason: 'NO_STORE' });
  }
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

interface Snapshot {
  readonly name: string;
  readonly database: DatabaseSync;
}

/** A connection that sees the state of this instant for as long as it is open. */
function takeSnapshot(path: string): Snapshot {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  // A transaction begins with its first read.
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
  // Node does not tell of the last step.
  onProgress(1);
  makeSelfContained(path);
  await chmod(path, 0o600);
  await sync(path);
  const { size } = await stat(path);
  return { name, bytes: size, sha256: await sha256Of(path) };
}

/** A copy says that it has a log beside it, as its original has. It has none: one file is all of it. */
function makeSelfContained(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = delete');
  } finally {
    database.close();
  }
}
