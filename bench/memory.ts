// The resident memory of a process by part, from /proc (Linux) and the heap probe.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HeapReport } from './heap-probe.ts';
import { numberIn, readProc } from './proc.ts';

export interface MemoryPart {
  readonly part: string;
  readonly bytes: number;
}

/** A heap report that is older than this is that of a thread which has ended. */
const FRESH_MS = 5_000;

/** The first part is the whole resident memory; the others add up to it. */
export function readMemory(pid: number, probeFolder: string): readonly MemoryPart[] {
  const status = readProc(`${pid}/status`);
  const bytesOf = (name: string) => 1_024 * numberIn(status, name);
  const heaps = heapReports(probeFolder);
  const parts = [
    ...heaps.map(({ thread, heap }) => ({ part: `heap of ${thread}`, bytes: heap })),
    ...heaps.map(({ thread, buffers }) => ({ part: `buffers of ${thread}`, bytes: buffers })),
    { part: 'program and mapped files', bytes: bytesOf('RssFile') + bytesOf('RssShmem') },
  ];
  const total = bytesOf('VmRSS');
  const known = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    { part: 'resident', bytes: total },
    ...parts,
    { part: 'SQLite caches, stacks, free memory of the allocator', bytes: total - known },
  ];
}

function heapReports(folder: string): readonly HeapReport[] {
  return readdirSync(folder)
    .filter((name) => /^heap-\d+\.json$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).mtimeMs > Date.now() - FRESH_MS)
    .map((path): HeapReport => JSON.parse(readFileSync(path, 'utf8')))
    .toSorted((a, b) => b.heap - a.heap);
}
