// Loaded into every thread of the service by `--import`: each thread writes the memory of its JavaScript heap to a file every
// second. Nobody outside the process can measure it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { threadId, workerData } from 'node:worker_threads';

export interface HeapReport {
  readonly thread: string;
  /** Bytes of the heap that are in memory, and of them those in use. */
  readonly heap: number;
  readonly used: number;
  /** Bytes of buffers outside the heap. */
  readonly buffers: number;
}

const EVERY_MS = 1_000;
const folder = process.env.TIS_BENCH_FOLDER;

if (folder !== undefined) {
  const path = join(folder, `heap-${threadId}.json`);
  setInterval(() => {
    const { total_physical_size: heap, used_heap_size: used, external_memory: buffers } = getHeapStatistics();
    const thread: string = threadId === 0 ? 'main' : (workerData?.thread ?? 'other');
    writeFileSync(path, JSON.stringify({ thread, heap, used, buffers } satisfies HeapReport));
  }, EVERY_MS).unref();
}
