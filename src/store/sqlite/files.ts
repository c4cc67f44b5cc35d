// The files that make up the data folder of the embedded store. Beside each, SQLite keeps a log (`-wal`) and its index
// (`-shm`) while the file is open, and after a crash.

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** All of them: what a backup holds and a check looks at. */
export function listDataFiles(dataDir: string): readonly string[] {
  return Object.values(dataFiles(dataDir));
}

/**
 * Makes a file and its folder where they are not there: what a store holds (keys by hash, the installation secret, whatever
 * is marked RED) is for its owner alone. SQLite gives the log and the index of a file the rights of the file.
 */
export function makePrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}
