// `npx node bench/lookup.ts DATA_DIR [INDICATORS]`: a lookup of ten thousand values beside what it replaces, in one run over
// one store: a search for each value, and a read by id for each value. Then counts beside a loop over all indicators. It
// makes the store if the folder does not exist.
//
// Half of the values are known. Half of the addresses lie in a known range. The reads are those of the service without HTTP.

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type IndicatorFilter, MATCH_ALL } from '../src/domain/filter.ts';
import { indicatorId } from '../src/domain/indicator/identity.ts';
import { matches } from '../src/domain/indicator/matching.ts';
import { formatCidr, parseCidr } from '../src/domain/observable/address.ts';
import { recognise } from '../src/domain/observable/observable.ts';
import { encodeIndicator } from '../src/protojson/indicator-json.ts';
import { createAggregate } from '../src/search/aggregate.ts';
import { createLookup } from '../src/search/lookup.ts';
import { createSearch } from '../src/search/search.ts';
import { loadDriver, systemClock } from '../src/service/stores.ts';
import type { Stores } from '../src/store/stores.ts';
import { observable } from './events.ts';
import { fill } from './fill.ts';
import { median } from './quantiles.ts';
import { printTable, shown } from './table.ts';

const VALUES = 10_000;
const RANGES = 2_000;
const ROUNDS = 7;
const SEARCHES = 200;
const CEILING = 'AMBER_STRICT';

const [, , dataDir = '', size = '1000000'] = process.argv;
if (!existsSync(dataDir)) {
  const folder = await mkdtemp(join(tmpdir(), 'tis-bench-'));
  await fill(dataDir, folder, { from: 0, to: Number(size) });
  await rm(folder, { recursive: true });
}
const stores = await (await loadDriver(dataDir)).openStores(systemClock);
try {
  await addRanges(stores);
  const values = Array.from({ length: VALUES }, (_, index) => {
    const known = Math.floor((index / VALUES) * Number(size));
    return observable(index % 2 === 0 ? known : known + 100_000_000).value;
  });
  const secret = stores.installation.secret;
  const lookup = createLookup(stores.indicators, secret);
  const search = createSearch(stores.indicators, secret);
  const pagination = { pageSize: 10, pageToken: '' };
  const found = await lookup({ values, ceiling: CEILING });
  const kinds = Map.groupBy(
    found.results.flatMap(({ matches }) => matches),
    ({ kind }) => kind,
  );
  console.log([...kinds].map(([kind, matches]) => `${matches.length} ${kind}`).join(', '));
  const characters = found.documents.reduce((sum, { length }) => sum + length, 0);
  console.log(
    `${found.documents.length} documents of ${shown(characters)} characters, ${found.omitted} omitted`,
  );
  const rows = [
    ['lookup of all', await timed(1, () => lookup({ values, ceiling: CEILING }))],
    ['a read by id for each', await timed(1, () => readAll(values, secret))],
    [
      `a search for each (${SEARCHES} of them)`,
      await timed(VALUES / SEARCHES, async () => {
        for (const query of values.filter((_, index) => index % (VALUES / SEARCHES) === 0))
          await search({ ...pagination, query: `"${query}"`, filter: MATCH_ALL, ceiling: CEILING });
      }),
    ],
  ] as const;
  const aggregate = createAggregate(stores.indicators);
  const counts = { query: '', facets: [], top: 0, ceiling: CEILING } as const;
  const tagged = { ...MATCH_ALL, tags: ['campaign-7'] };
  const { counted } = await aggregate({ ...counts, filter: tagged });
  const others = [
    [`counts of ${counted} with a tag`, await timed(1, () => aggregate({ ...counts, filter: tagged }))],
    ['counts of the newest 10000', await timed(1, () => aggregate({ ...counts, filter: MATCH_ALL }))],
    ['a loop over all with a filter of its own', await timed(1, () => countAll(stores, tagged), 1)],
  ] as const;
  printTable([
    [`${VALUES} values, ${size} indicators`, 'CPU ms', 'ms'],
    ...[...rows, ...others].map(([name, { cpu, wall }]) => [name, shown(cpu), shown(wall)]),
  ]);
} finally {
  await stores.close();
}

async function readAll(values: readonly string[], secret: Buffer): Promise<void> {
  for (const value of values) {
    const reading = recognise(value, { acceptPrivateAddresses: true });
    if (reading.ok)
      await stores.indicators.document(indicatorId(secret, reading.type, reading.value), CEILING);
  }
}

/** What a client without counts would do beside the store. */
async function countAll({ indicators }: Stores, filter: IndicatorFilter): Promise<void> {
  const byTag = new Map<string, number>();
  for await (const { indicator } of indicators.each({ filter: MATCH_ALL, terms: [], ceiling: CEILING })) {
    if (!matches(indicator, filter)) continue;
    for (const tag of indicator.tags) byTag.set(tag, (byTag.get(tag) ?? 0) + 1);
  }
}

/** The medians of some rounds, in milliseconds. */
async function timed(
  factor: number,
  work: () => Promise<unknown>,
  rounds = ROUNDS,
): Promise<{ cpu: number; wall: number }> {
  const cpu: number[] = [];
  const wall: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const since = performance.now();
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    wall.push((performance.now() - since) * factor);
    cpu.push(((user + system) / 1_000) * factor);
  }
  return { cpu: median(cpu), wall: median(wall) };
}

/** Ranges of all lengths around known addresses. */
async function addRanges({ installation, indicators, write }: Stores): Promise<void> {
  const patterns = indicators.each({ filter: { ...MATCH_ALL, types: ['IPV4'] }, terms: [], ceiling: 'RED' });
  const { value: pattern } = await patterns[Symbol.asyncIterator]().next();
  if (pattern === undefined) throw new Error('the store has no address');
  await write(async (tx) => {
    const writes = Array.from({ length: RANGES }, (_, index) => {
      const { type, value } = observable(index * 2);
      const range = parseCidr(`${type === 'IPV4' ? value : `203.0.${index % 256}.0`}/${17 + (index % 15)}`);
      if (range === undefined) throw new Error('not a range');
      const text = formatCidr(range);
      const id = indicatorId(installation.secret, 'CIDR', text);
      const indicator = { ...pattern.indicator, id, type: 'CIDR' as const, value: text };
      return { record: { ...pattern, indicator }, audience: 31, document: encodeIndicator(indicator) };
    });
    await tx.save(writes);
  });
}
