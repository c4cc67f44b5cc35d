// Fills a store with indicators through its writer, without events, jobs and feed. That is quicker than ingest. Run as a
// child:
//
//   node bench/fill-store.ts DATA_DIR FROM TO
//
// The store must hold some indicators of `tis ingest`: they are the patterns of the new ones, which differ in id, value and
// times. FROM and TO are numbers of values (events.ts). It prints the milliseconds and the CPU microseconds of each new
// indicator as JSON.

import { performance } from 'node:perf_hooks';
import { MATCH_ALL } from '../src/domain/filter.ts';
import { indicatorId } from '../src/domain/indicator/identity.ts';
import type { IndicatorRecord } from '../src/domain/indicator/indicator.ts';
import { audiencesOf } from '../src/domain/indicator/views.ts';
import { encodeIndicator } from '../src/protojson/indicator-json.ts';
import { loadDriver, systemClock } from '../src/service/stores.ts';
import type { IndicatorWrite } from '../src/store/indicators.ts';
import type { Stores } from '../src/store/stores.ts';
import { observable } from './events.ts';

/** Indicators of one transaction. */
const BATCH = 2_000;
/** A multiple of the number of kinds of values, and of the tags of the events. */
const PATTERNS = 4_000;

const [, , dataDir = '', from = '0', to = '0'] = process.argv;
const stores = await (await loadDriver(dataDir)).openStores(systemClock);
try {
  const patterns = await readPatterns(stores);
  const started = performance.now();
  const before = process.cpuUsage();
  for (let begin = Number(from); begin < Number(to); begin += BATCH) {
    await fill(stores, patterns, begin, Math.min(begin + BATCH, Number(to)));
  }
  const { user, system } = process.cpuUsage(before);
  const count = Number(to) - Number(from);
  const figures = { millis: (performance.now() - started) / count, cpuMicros: (user + system) / count };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} finally {
  await stores.close();
}

type Patterns = ReadonlyMap<string, readonly IndicatorRecord[]>;

/** The oldest records of the store, by type. */
async function readPatterns({ indicators }: Stores): Promise<Patterns> {
  const records: IndicatorRecord[] = [];
  for await (const record of indicators.each({ filter: MATCH_ALL, terms: [], ceiling: 'RED' })) {
    records.push(record);
    if (records.length === PATTERNS) break;
  }
  return Map.groupBy(records, ({ indicator }) => indicator.type);
}

function fill(
  { installation, write }: Stores,
  patterns: Patterns,
  begin: number,
  end: number,
): Promise<void> {
  return write(async (tx) => {
    const createdAt = await tx.creationInstant(systemClock());
    const writes: IndicatorWrite[] = [];
    for (let number = begin; number < end; number++) {
      const { type, value } = observable(number);
      const alike = patterns.get(type) ?? [];
      const pattern = alike[number % alike.length];
      if (pattern === undefined) throw new Error(`the store has no indicator of type ${type}`);
      const id = indicatorId(installation.secret, type, value);
      const indicator = { ...pattern.indicator, id, value, createdAt, updatedAt: createdAt };
      const record = { ...pattern, indicator };
      const [audience] = audiencesOf([record]);
      if (audience === undefined) throw new Error('a view without readers');
      writes.push({ record, audience, document: encodeIndicator(indicator) });
    }
    await tx.save(writes);
  });
}
