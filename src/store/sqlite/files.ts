// The files of a data folder. While a file is open, and after a crash, SQLite keeps its write-ahead log (`-wal`) and the
// index of the log (`-shm`) beside it.

import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExposedPath } from '../driver.ts';

export interface DataFiles {
  /** Indicators, feed, queue, keys and the audit log. */
  readonly store: string;
  /** Metered use. */
  readonly usage: string;
}

/** Where the files of a data folder are. */
export function dataFiles(dataDir: string): DataFiles {
  return { store: join(dataDir, 'tis.db'), usage: join(dataDir, 'usage.db') };
}

/** All files: a backup copies them and a check reads them. */
export function listDataFiles(dataDir: string): readonly string[] {
  return Object.values(dataFiles(dataDir));
}

/** @throws if that cannot be told, as in a folder that this user may not enter. */
export function fileExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether there is something in the file. A start that was interrupted leaves an empty one. */
export function fileHasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** The size of all files. */
export function bytesIn(files: DataFiles): number {
  return Object.values(files).reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

const OTHER_USERS = 0o077;

/** The folder and its files that others than their owner may read or write. Windows has other rights than these. */
export function exposedPaths(dataDir: string): readonly ExposedPath[] {
  if (process.platform === 'win32') return [];
  const files = listDataFiles(dataDir).flatMap((path) => [path, `${path}-wal`, `${path}-shm`]);
  return [dataDir, ...files].flatMap((path) => {
    const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    return (mode & OTHER_USERS) === 0 ? [] : [{ path, mode: mode.toString(8).padStart(3, '0') }];
  });
}

/**
 * Creates a file and its folder, unless they exist, for their owner alone: the store holds hashes of keys, the
 * installation secret and indicators marked RED. SQLite gives `-wal` and `-shm` the mode of the file.
 *
 * A file that exists is not opened: this process may have it open, and closing it would drop the locks of SQLite.
 */
export function makePrivateFile(path: string): void {
  if (fileExists(path)) return;
  makeFolder(dirname(path));
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Creates a folder and those above it, for their owner alone. Returns the first one it made. Node's own recursive mkdir
 * never ends below a folder such as /proc, which exists and answers ENOENT.
 */
export function makeFolder(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
  const parent = dirname(path);
  const made = parent === path ? undefined : makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
    return made;
  }
  return made ?? path;
}
