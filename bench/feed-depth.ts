// The cost of a feed page at the start, in the middle and at the end of the feed. The superseded half of the versions is
// one contiguous run.
//
//   node bench/feed-depth.ts [versions]        default 1000000
//
// It also measures a reader who sees nothing, a type without objects, and a walk during which many objects changed.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { readersOf } from '../src/domain/audience.ts';
import { toRfc3339 } from '../src/domain/instant.ts';
import { loadDriver } from '../src/service/stores.ts';
import type { DateAdded, FeedAppend, FeedQuery } from '../src/store/feed.ts';
import type { Stores } from '../src/store/stores.ts';

const BATCH = 2_000;
const REPEATS = 200;
const OBJECT_BYTES = 1_500;
const START_MS = Date.UTC(2026, 0, 1);

const versions = Number(process.argv[2] ?? 1_000_000);
const folder = await mkdtemp(join(tmpdir(), 'tis-bench-'));
const stores = await (await loadDriver(folder)).openStores(() => START_MS);
try {
  await bench(stores);
} finally {
  await stores.close();
  await rm(folder, { recursive: true, force: true });
}

async function bench(stores: Stores): Promise<void> {
  const ids = Array.from({ length: versions / 2 }, () => `indicator--${randomUUID()}`);
  const started = performance.now();
  await appendAll(stores, ids, 0);
  await appendAll(stores, ids, versions);
  const perVersion = ((performance.now() - started) * 1_000) / versions;
  console.log(
    `${versions} versions, the first half superseded; appending took ${perVersion.toFixed(0)} us per version\n`,
  );

  const until = (await stores.feed.bounds('RED'))?.end.place ?? 0;
  const middle = await placeOf(stores, until, ids.length / 2);
  for (const limit of [100, 1_000]) {
    const end = await placeOf(stores, until, ids.length - limit);
    const [slowest, fastest] = await measure(stores, {
      start: { until, limit },
      middle: { until, limit, after: middle },
      end: { until, limit, after: end },
    });
    console.log(
      `  the slowest of the three takes ${(100 * (slowest / fastest - 1)).toFixed(0)} % longer than the fastest`,
    );
    await measure(stores, {
      'start, nothing visible to the reader': { until, limit, ceiling: 'CLEAR' },
      'start, type that does not exist': { until, limit, types: ['malware'] },
      'start, all versions': { until, limit, versions: 'all' },
      'start, all versions of a type that does not exist': {
        until,
        limit,
        versions: 'all',
        types: ['malware'],
      },
    });
  }
  for (const changed of [1_000, 10_000, 100_000]) {
    await appendAll(stores, ids.slice(0, changed), 2 * versions + changed);
    await measure(stores, {
      [`start, ${changed} changes since the start of the walk`]: { until, limit: 1_000 },
    });
  }
}

/** Appends one version of each object. @param age a higher age gives later versions. */
async function appendAll(stores: Stores, ids: readonly string[], age: number): Promise<void> {
  const filling = 'x'.repeat(OBJECT_BYTES);
  for (let start = 0; start < ids.length; start += BATCH) {
    const modified = START_MS + (age + start) * 2;
    const entries = ids.slice(start, start + BATCH).map(
      (id): FeedAppend => ({
        id,
        type: 'indicator',
        version: toRfc3339(modified),
        modified,
        audience: readersOf('GREEN'),
        object: JSON.stringify({ id, filling }),
      }),
    );
    await stores.write((tx) => tx.append(entries, modified));
  }
}

/** The `date_added` of the newest version number `count`. */
async function placeOf(stores: Stores, until: DateAdded, count: number): Promise<DateAdded> {
  let after: DateAdded | undefined;
  for (let seen = 0; seen < count; ) {
    const limit = Math.min(5_000, count - seen);
    const { entries } = await stores.feed.versions({
      until,
      limit,
      ceiling: 'RED',
      ...(after === undefined ? {} : { after }),
    });
    after = entries.at(-1)?.dateAdded;
    seen += entries.length;
  }
  return after ?? 0;
}

/**
 * Runs the queries in turn, so that a slow phase of the machine affects all of them.
 * @returns the slowest and the fastest median, in milliseconds.
 */
async function measure(
  stores: Stores,
  queries: Readonly<Record<string, Omit<FeedQuery, 'ceiling'> & Partial<FeedQuery>>>,
): Promise<readonly [number, number]> {
  const runs = Object.entries(queries).map(([name, query]) => ({
    name,
    query: { ceiling: 'AMBER_STRICT' as const, ...query },
    times: [] as number[],
    rows: 0,
  }));
  for (let round = 0; round < REPEATS; round++) {
    for (const run of runs) {
      const started = performance.now();
      run.rows = await (await stores.feed.objects(run.query)).entries.length;
      run.times.push(performance.now() - started);
    }
  }
  const medians = runs.map(({ times }) => times.sort((a, b) => a - b)[REPEATS / 2] ?? 0);
  for (const [index, { name, rows }] of runs.entries())
    console.log(`${name.padEnd(52)} ${String(rows).padStart(5)} rows  p50 ${medians[index]?.toFixed(3)} ms`);
  return [Math.max(...medians), Math.min(...medians)];
}
