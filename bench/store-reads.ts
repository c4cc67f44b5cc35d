// The reads of the service without HTTP: the same statements on the same file, in one process. A benchmark runs it as a
// child, beside the service.
//
//   node bench/store-reads.ts DATA_DIR SCENARIOS.json SECONDS ROUNDS
//
// It prints the CPU microseconds of each call for every round of every scenario, as JSON.

import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { toSearchRequest } from '../src/api/rest/indicators.ts';
import { parseMicros } from '../src/domain/date-added.ts';
import { IndicatorService } from '../src/protojson/contract.ts';
import { FIELD_RULES } from '../src/protojson/field-rules.ts';
import { createDecoder } from '../src/protojson/json-decoder.ts';
import { createSearch } from '../src/search/search.ts';
import { loadDriver, systemClock } from '../src/service/stores.ts';
import type { Call, Scenario } from './scenarios.ts';

/** The ceiling of the key that the benchmark sends. */
const CEILING = 'AMBER_STRICT';
const WARM_UP_SECONDS = 0.5;

const [, , dataDir = '', file = '', seconds = '1', rounds = '1'] = process.argv;
const scenarios: readonly Scenario[] = JSON.parse(readFileSync(file, 'utf8'));
const stores = await (await loadDriver(dataDir)).openStores(systemClock);
const search = createSearch(stores.indicators, stores.installation.secret);
const decode = createDecoder(IndicatorService.method.searchIndicators.input, FIELD_RULES);
try {
  const measured: [string, number[]][] = [];
  for (const { name, calls } of scenarios) {
    const reads = calls.map(readOf);
    await timeOf(reads, WARM_UP_SECONDS);
    const times: number[] = [];
    for (let round = 0; round < Number(rounds); round++) times.push(await timeOf(reads, Number(seconds)));
    measured.push([name, times]);
  }
  process.stdout.write(`${JSON.stringify(measured)}\n`);
} finally {
  await stores.close();
}

function readOf(call: Call): () => Promise<unknown> {
  if ('get' in call) return () => stores.indicators.document(call.get, CEILING);
  if ('search' in call) {
    const request = toSearchRequest(decode(JSON.stringify(call.search)), CEILING);
    return () => search(request);
  }
  const { limit, addedAfter } = call.poll;
  const after = addedAfter === undefined ? undefined : parseMicros(addedAfter);
  return async () => {
    const bounds = await stores.feed.bounds(CEILING, after);
    // The service asks nothing more of the store if nothing is new.
    if (bounds === undefined || bounds.after >= bounds.end.place) return;
    await stores.feed.blocks({ after: bounds.after, until: bounds.end.place, limit, ceiling: CEILING });
  };
}

/** @returns microseconds of CPU time, all threads, for each read. */
async function timeOf(reads: readonly (() => Promise<unknown>)[], forSeconds: number): Promise<number> {
  const end = performance.now() + forSeconds * 1_000;
  const before = process.cpuUsage();
  let count = 0;
  do {
    await reads[count++ % reads.length]?.();
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
