// The JavaScript heaps of the threads. V8 sizes a heap for speed on an empty machine; a service has several heaps, and most of
// what fills them is garbage.

import type { ResourceLimits } from 'node:worker_threads';

const MEBIBYTE = 1_048_576;

/**
 * MiB of new objects: three times what one collection of them scavenges. `--max-semi-space-size` bounds those of the main
 * thread where the service is started, because nothing else reaches its heap.
 */
const YOUNG = { http: 24, pipeline: 24, metering: 3, reading: 12, inspection: 3 } as const;

/** MiB. From 2 GiB on, V8 lets a heap grow to four times what a collection left of it; below, to less than twice. */
const OLD = 1_024;

export type ThreadName = keyof typeof YOUNG;

/** @param memoryBudget bytes. A thread may need more than OLD only where the whole process may. */
export function heapLimits(thread: ThreadName, memoryBudget: number): ResourceLimits {
  return {
    maxYoungGenerationSizeMb: YOUNG[thread],
    maxOldGenerationSizeMb: Math.max(OLD, Math.floor(memoryBudget / MEBIBYTE)),
  };
}
