// Fills a store to a size by its writer (fill-store.ts): no events, no feed. A store of 10 million indicators takes minutes
// instead of hours.

import { statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EVENTS_PER_INDICATOR, writeEvents } from './events.ts';
import { BYTES, type Figure } from './figures.ts';
import { scriptJson, tisJson } from './processes.ts';
import { printTable, shown } from './table.ts';

/** Indicators of real ingest, which are the patterns of the others. */
const PATTERNS = 4_000;
/** More than an indicator takes without feed, its share of the write-ahead log included. */
const BYTES_EACH = 8_000;

export interface FillRange {
  /** Indicators that the store has already; 0 makes a new store. */
  readonly from: number;
  readonly to: number;
}

/** @throws Error when the disk has too little room. */
export async function fill(
  dataDir: string,
  folder: string,
  { from, to }: FillRange,
): Promise<readonly (readonly [string, Figure])[]> {
  requireRoom(dirname(dataDir), (to - from) * BYTES_EACH);
  if (from === 0) await ingestPatterns(dataDir, folder);
  const begin = Math.max(from, PATTERNS);
  console.error(`  fill from ${shown(begin)} to ${shown(to)} indicators`);
  const { millis, cpuMicros } = await scriptJson<{ readonly millis: number; readonly cpuMicros: number }>(
    './fill-store.ts',
    ...[dataDir, String(begin), String(to)],
  );
  const store = statSync(join(dataDir, 'tis.db')).size / to;
  printTable([
    ['filled without feed', 'indicators/s', 'CPU us each', 'store B each'],
    [`to ${shown(to)} indicators`, shown(1_000 / millis), shown(cpuMicros), shown(store)],
  ]);
  return [
    ['fill: rate', { unit: 'indicators/s', rounds: [1_000 / millis] }],
    ['fill: CPU', { unit: 'us', rounds: [cpuMicros] }],
    ['store of an indicator without feed', { unit: 'B', rounds: [store], compare: BYTES }],
  ];
}

function requireRoom(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  if (bavail * bsize >= needed) return;
  throw new Error(
    `${folder} has ${gigabytes(bavail * bsize)} free, and the store may need ${gigabytes(needed)}`,
  );
}

async function ingestPatterns(dataDir: string, folder: string): Promise<void> {
  const file = join(folder, 'patterns.jsonl');
  await writeEvents(file, PATTERNS, EVENTS_PER_INDICATOR, Date.now());
  await tisJson('ingest', file, '--data-dir', dataDir);
}
