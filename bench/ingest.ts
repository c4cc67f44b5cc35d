// Ingest from files until everything is in the feed: `tis ingest` in one process, one file for each round. Every fifth event
// has a new value.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { EVENTS_PER_INDICATOR, writeRange } from './events.ts';
import { type ExitReport, readExitReport } from './exit-probe.ts';
import { BYTES, type Comparison, CPU_TIME, type Figure, MEMORY } from './figures.ts';
import { probedTisJson } from './processes.ts';
import { megabytes, printTable, shown } from './table.ts';

export interface IngestRange {
  /** Indicators that the store has already. */
  readonly from: number;
  readonly to: number;
  readonly rounds: number;
}

interface Round {
  readonly indicators: number;
  readonly perSecond: number;
  /** Microseconds for each event. */
  readonly cpu: number;
  readonly mainCpu: number;
  /** Bytes for each event. */
  readonly toDisk: number;
  readonly handedOver: number;
  readonly peakMemory: number;
}

/** The answer of `tis ingest --json`. */
interface IngestReport {
  readonly accepted: number;
}

export async function benchIngest(
  dataDir: string,
  folder: string,
  { from, to, rounds }: IngestRange,
): Promise<readonly (readonly [string, Figure])[]> {
  const before = feedVersions(dataDir);
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const at = (share: number) => Math.round(from + ((to - from) * share) / rounds);
    results.push(await ingestRange(dataDir, folder, at(round), at(round + 1)));
  }
  const events = (to - from) * EVENTS_PER_INDICATOR;
  const versions = (feedVersions(dataDir) - before) / events;
  const store = statSync(join(dataDir, 'tis.db')).size / to;
  printTable([
    ['ingest to feed', 'events/s', 'CPU us/event', 'main', 'written B/event', 'handed over', 'peak memory'],
    ...results.map((one) => [
      `to ${shown(one.indicators)} indicators`,
      ...[one.perSecond, one.cpu, one.mainCpu, one.toDisk, one.handedOver].map(shown),
      megabytes(one.peakMemory),
    ]),
  ]);
  console.log(
    `${shown(versions)} versions in the feed for each event; ${shown(store)} bytes of store an indicator\n`,
  );
  // The rounds differ because the store grows, so their spread is no noise: one value for all of them is compared.
  const mean = (amount: (round: Round) => number) =>
    results.reduce((sum, round) => sum + amount(round), 0) / results.length;
  const whole = (unit: string, value: number, compare: Comparison): Figure => ({
    unit,
    rounds: [value],
    compare,
  });
  return [
    ['ingest: rate', { unit: 'events/s', rounds: results.map(({ perSecond }) => perSecond) }],
    [
      'ingest: CPU',
      whole(
        'us/event',
        mean(({ cpu }) => cpu),
        CPU_TIME,
      ),
    ],
    [
      'ingest: written to disk',
      whole(
        'B/event',
        mean(({ toDisk }) => toDisk),
        BYTES,
      ),
    ],
    [
      'ingest: handed over',
      whole(
        'B/event',
        mean(({ handedOver }) => handedOver),
        BYTES,
      ),
    ],
    ['ingest: peak memory', whole('B', Math.max(...results.map(({ peakMemory }) => peakMemory)), MEMORY)],
    ['store of an indicator', { unit: 'B', rounds: [store], compare: BYTES }],
    ['feed versions of an event', { unit: '', rounds: [versions] }],
  ];
}

async function ingestRange(dataDir: string, folder: string, from: number, to: number): Promise<Round> {
  console.error(`  events about ${shown(to - from)} new indicators`);
  const file = join(folder, 'events.jsonl');
  const count = await writeRange(file, {
    known: from,
    begin: from,
    newValues: to - from,
    repeats: EVENTS_PER_INDICATOR,
    name: `file-${from}`,
    now: Date.now(),
  });
  const started = performance.now();
  const { accepted } = await probedTisJson<IngestReport>(folder, 'ingest', file, '--data-dir', dataDir);
  const seconds = (performance.now() - started) / 1_000;
  rmSync(file);
  if (accepted !== count) throw new Error(`tis ingest accepted ${accepted} of ${count} events`);
  const { threadTimes, written, peakMemory } = readExitReport(folder);
  const time = (names: ExitReport['threadTimes']) => names.reduce((sum, [, each]) => sum + each, 0) / count;
  return {
    indicators: to,
    perSecond: count / seconds,
    cpu: time(threadTimes),
    mainCpu: time(threadTimes.filter(([name]) => name === 'main')),
    toDisk: written.toDisk / count,
    handedOver: written.handedOver / count,
    peakMemory,
  };
}

/** 0 for a store that does not exist. */
function feedVersions(dataDir: string): number {
  const path = join(dataDir, 'tis.db');
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return 0;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(database.prepare('select count(*) as count from feed').get()?.count ?? 0);
  } finally {
    database.close();
  }
}
