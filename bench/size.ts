// What is measured at one size of the store: requests, searches at a fixed rate, searches while events come in, memory.

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { answerTo, walkFeed } from './client.ts';
import { type Figure, MEMORY } from './figures.ts';
import { readMemory } from './memory.ts';
import { openFigures, printOpenRows, runSearches } from './open-searches.ts';
import type { Options } from './options.ts';
import { type Server, startTis } from './processes.ts';
import { benchRequests } from './requests.ts';
import {
  feedScenarios,
  getScenario,
  type Headers,
  MIXED_FILTERS,
  PAGE_SIZE,
  type Sample,
  type Scenario,
  searchScenarios,
} from './scenarios.ts';
import { megabytes, printTable, shown } from './table.ts';
import { readThreadTimes } from './thread-time.ts';
import { benchWhileIngesting } from './while-ingesting.ts';

export interface SizeBench {
  readonly dataDir: string;
  /** For files of the benchmark. */
  readonly folder: string;
  readonly reader: Headers;
  readonly sensor: Headers;
  readonly indicators: number;
  readonly options: Options;
}

type NamedFigures = readonly (readonly [string, Figure])[];

/** Searches that are also sent at a fixed rate. */
const OPEN = [MIXED_FILTERS, 'search, text', 'search, needle'];

export async function benchSize(bench: SizeBench): Promise<NamedFigures> {
  const { dataDir, folder, reader, options } = bench;
  const started = performance.now();
  await using service = await startTis(dataDir, {}, folder);
  const samples = await samplesFrom(service, reader);
  const startMs = performance.now() - started;
  console.log(`start to the first answered search: ${shown(startMs)} ms\n`);
  await inspectionEnd(service);
  const searches = searchScenarios(samples, Date.now());
  // A store that was filled has hardly any feed.
  const feed = options.fill ? [] : feedScenarios(await walkFeed(service, reader));
  const all = [getScenario(samples), ...searches, ...feed];
  const scenarios = all.filter(({ name }) => options.only === undefined || name.includes(options.only));
  const requests = await benchRequests({ service, dataDir, headers: reader, folder, options }, scenarios);
  if (options.only !== undefined) return requests;
  return [
    ['start to the first answered search', { unit: 'ms', rounds: [startMs] }],
    ...requests,
    ...(await benchOpen(bench, service, searches)),
    ...benchMemory(service, folder),
  ];
}

const LOOK_MS = 200;

/** After its start the service reads a large store once, in a thread of its own. That takes a core for many seconds. */
async function inspectionEnd({ pid }: Server): Promise<void> {
  while (readThreadTimes(pid).has('inspection')) await delay(LOOK_MS);
}

async function samplesFrom(service: Server, reader: Headers): Promise<readonly Sample[]> {
  const { body } = await answerTo(service, { search: { pageSize: PAGE_SIZE } }, reader);
  return (JSON.parse(body) as { readonly indicators: readonly Sample[] }).indicators;
}

async function benchOpen(
  { reader, sensor, indicators, options }: SizeBench,
  service: Server,
  searches: readonly Scenario[],
): Promise<NamedFigures> {
  const { rounds, seconds, pagesPerSecond: perSecond, eventsPerSecond, store, fill } = options;
  const open = { rounds, seconds, perSecond };
  const scenarios = searches.filter(({ name }) => OPEN.includes(name));
  const rows = [];
  for (const scenario of scenarios) rows.push(await runSearches(service, reader, scenario, open));
  printOpenRows('searches at a fixed rate', rows);
  const mixed = scenarios.find(({ name }) => name === MIXED_FILTERS);
  const idle = rows.find(({ name }) => name === MIXED_FILTERS);
  const ingesting =
    eventsPerSecond === 0 || fill || store !== undefined || mixed === undefined || idle === undefined
      ? []
      : await benchWhileIngesting({
          service,
          headers: reader,
          sensorHeaders: sensor,
          eventsPerSecond,
          indicators,
          search: mixed,
          idle,
          options: open,
        });
  return [...openFigures('', rows), ...ingesting];
}

function benchMemory(service: Server, folder: string): NamedFigures {
  const parts = readMemory(service.pid, folder);
  printTable([['memory after it', ''], ...parts.map(({ part, bytes }) => [part, megabytes(bytes)])]);
  return parts.map(({ part, bytes }) => [
    `memory: ${part}`,
    { unit: 'B', rounds: [bytes], ...(part === 'resident' ? { compare: MEMORY } : {}) },
  ]);
}
