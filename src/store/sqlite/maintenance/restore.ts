// Restoring a backup into an empty data folder. Every byte is checked during the copy.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Backup, BackupFile, OnProgress } from '../../driver.ts';
import { Connection } from '../connection.ts';
import { dataFiles, listDataFiles } from '../files.ts';
import { OpenFile } from '../open-file.ts';
import { endAllAccess } from '../people/sessions.ts';
import { releaseLeases } from '../queue/job-queue.ts';
import { STORE_SCHEMA } from '../schema.ts';
import { asStoreError } from '../store-errors.ts';
import { USAGE_SCHEMA } from '../usage/usage-schema.ts';
import { notABackup, readManifest } from './backup-manifest.ts';
import { claimFolder, sync } from './claimed-folder.ts';
import { usableVersion } from './migrate.ts';

const CHUNK = 1_048_576;

/**
 * The files get their names when all of them are complete. A run that fails leaves the folder empty. Rejects with
 * ServiceError `failed_precondition` if the folder is not empty, the backup is damaged or its schema is unknown, and with `unavailable` if a
 * file cannot be read or written.
 */
export async function restore(
  from: string,
  dataDir: string,
  onProgress: OnProgress = () => {},
): Promise<Backup> {
  const manifest = await readManifest(
    from,
    listDataFiles(dataDir).map((path) => basename(path)),
  );
  const folder = await claimFolder(dataDir);
  try {
    const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for (const file of manifest.files) {
      await copy(file, from, partialPath(dataDir, file), (bytes) => {
        done += bytes;
        onProgress(total === 0 ? 1 : Math.min(1, done / total));
      });
    }
    for (const file of manifest.files) requireUsable(partialPath(dataDir, file), file);
    for (const file of manifest.files) await rename(partialPath(dataDir, file), join(dataDir, file.name));
    await sync(dataDir);
    endWhatIsOver(dataFiles(dataDir).store);
    return manifest;
  } catch (error) {
    await folder.abandon();
    throw asStoreError(error);
  }
}

/** @throws ServiceError `failed_precondition` if this program cannot read the schema of the file. */
function requireUsable(path: string, { name }: BackupFile): void {
  const connection = new Connection(new OpenFile(path), { readOnly: true });
  try {
    usableVersion(connection, name === basename(dataFiles('').usage) ? USAGE_SCHEMA : STORE_SCHEMA);
  } finally {
    connection.close();
  }
}

/** Leases, whose workers work on the original store. Sessions and links, which may have ended after the backup. */
function endWhatIsOver(path: string): void {
  const connection = new Connection(new OpenFile(path), { readOnly: false });
  try {
    releaseLeases(connection);
    endAllAccess(connection);
  } finally {
    connection.close();
  }
}

function partialPath(dataDir: string, { name }: BackupFile): string {
  return join(dataDir, `${name}.partial`);
}

async function copy(
  file: BackupFile,
  from: string,
  to: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const hash = createHash('sha256');
  const source = createReadStream(join(from, file.name), { highWaterMark: CHUNK });
  await pipeline(
    source,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        onBytes(chunk.length);
        yield chunk;
      }
    },
    createWriteStream(to, { mode: 0o600 }),
  );
  if (hash.digest('hex') !== file.sha256) throw notABackup(`${join(from, file.name)} is damaged`);
  await sync(to);
}
