// Loaded into a command by `--import`: when the command ends, it writes what the process has used. Nobody can read that from
// outside once the process is gone.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { readThreadTimes } from './thread-time.ts';
import { readWrittenBytes, type WrittenBytes } from './written-bytes.ts';

export interface ExitReport {
  /** Microseconds by thread. */
  readonly threadTimes: readonly (readonly [string, number])[];
  readonly written: WrittenBytes;
  /** The highest resident memory, in bytes. */
  readonly peakMemory: number;
}

const FILE = 'exit.json';
const folder = process.env.TIS_BENCH_FOLDER;

if (folder !== undefined && isMainThread) {
  process.on('exit', () => {
    const report: ExitReport = {
      threadTimes: [...readThreadTimes(process.pid)],
      written: readWrittenBytes(process.pid),
      peakMemory: process.resourceUsage().maxRSS * 1_024,
    };
    writeFileSync(join(folder, FILE), JSON.stringify(report));
  });
}

export function readExitReport(folder: string): ExitReport {
  return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as ExitReport;
}
