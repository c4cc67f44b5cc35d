// The time of one fsync: the physical limit of everything that is durable before it is acknowledged.

import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const PAGE_BYTES = 8_192;
const REPEATS = 50;

/** Appends pages to a file in a folder. @returns the milliseconds of each append with its fsync. */
export function timeFsync(folder: string): readonly number[] {
  const path = join(folder, 'fsync');
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const file = openSync(path, 'w');
  try {
    return Array.from({ length: REPEATS }, () => {
      const started = performance.now();
      writeSync(file, page);
      fdatasyncSync(file);
      return performance.now() - started;
    });
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
