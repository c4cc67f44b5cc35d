// Searches while events come in over HTTP, both at a fixed rate, and the time from an event to the feed.

import { EVENTS_PER_INDICATOR, events } from './events.ts';
import { feedDelays, type SentEvents } from './feed-delays.ts';
import { CPU_TIME, type Figure, LATENCY } from './figures.ts';
import { request } from './load.ts';
import { runOpenLoop } from './open-loop.ts';
import { type OpenOptions, type OpenRow, openFigures, printOpenRows, runSearches } from './open-searches.ts';
import type { Server } from './processes.ts';
import { median, quantile } from './quantiles.ts';
import type { Headers, Scenario } from './scenarios.ts';
import { printTable, shown } from './table.ts';
import { readThreadTimes, timeEach, totalOf } from './thread-time.ts';
import { readWrittenBytes } from './written-bytes.ts';

/** As a sensor that sends ten times a second, among thirty. */
const BATCH = 100;
const CONNECTIONS = 8;
/** Above all values of files, so that a later ingest from files has new values too. */
const NEW_VALUES = 100_000_000;

export interface IngestingBench {
  readonly service: Server;
  readonly headers: Headers;
  /** Of a key that may send events. */
  readonly sensorHeaders: Headers;
  readonly eventsPerSecond: number;
  /** Indicators that the store has already. */
  readonly indicators: number;
  readonly search: Scenario;
  /** The same searches without events. */
  readonly idle: OpenRow;
  readonly options: OpenOptions;
}

export async function benchWhileIngesting(
  bench: IngestingBench,
): Promise<readonly (readonly [string, Figure])[]> {
  const { service, headers, eventsPerSecond, options } = bench;
  // The searches warm up for a second. The events last a little longer than the searches.
  const seconds = options.rounds * options.seconds + 2;
  const sent = batchesOf(bench, Math.ceil((seconds * eventsPerSecond) / BATCH));
  const written = readWrittenBytes(service.pid);
  const times = readThreadTimes(service.pid);
  const begun = Date.now();
  const [row, ingest] = await Promise.all([
    runSearches(service, headers, bench.search, options),
    runOpenLoop({
      port: service.port,
      requests: sent.requests,
      perSecond: eventsPerSecond / BATCH,
      seconds,
      connections: CONNECTIONS,
    }),
  ]);
  if (ingest.unanswered > 0)
    console.log(`${ingest.unanswered} of ${ingest.requests} batches were not acknowledged in time\n`);
  const delays = await feedDelays(service, headers, {
    begun,
    batchMs: (1_000 * BATCH) / eventsPerSecond,
    batchOf: sent.batchOf,
  });
  // What was not acknowledged may not even have been sent.
  const count = (ingest.requests - ingest.unanswered) * BATCH;
  const cpu = totalOf(timeEach(times, readThreadTimes(service.pid), count));
  const bytes = (readWrittenBytes(service.pid).toDisk - written.toDisk) / count;
  printOpenRows(`searches while ${shown(eventsPerSecond)} events/s come in`, [
    { ...bench.idle, name: 'idle' },
    { ...row, name: 'while events come in' },
  ]);
  const factor = p99Of(row) / p99Of(bench.idle);
  console.log(`the p99 of searches is ${factor.toFixed(1)} times that without events\n`);
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  printTable([
    [
      'events meanwhile',
      'events',
      'acknowledged p99 ms',
      'to feed p50 ms',
      'p99 ms',
      'written B/event',
      'CPU us/event',
    ],
    ['', shown(count), ...[ingest.p99, p50, p99, bytes, cpu].map(shown)],
  ]);
  const where = ` while ${eventsPerSecond} events/s come in`;
  return [
    ...openFigures(where, [row]),
    [`search p99${where}, times that without events`, { unit: '', rounds: [factor] }],
    [
      `acknowledgement of ${BATCH} events${where}: p99`,
      { unit: 'ms', rounds: [ingest.p99], compare: LATENCY },
    ],
    [`event to feed${where}: p50`, { unit: 'ms', rounds: [p50] }],
    [`event to feed${where}: p99`, { unit: 'ms', rounds: [p99], compare: LATENCY }],
    [`written${where}`, { unit: 'B/event', rounds: [bytes] }],
    [`CPU with the searches${where}`, { unit: 'us/event', rounds: [cpu], compare: CPU_TIME }],
  ];
}

function p99Of({ rounds }: OpenRow): number {
  return median(rounds.map(({ p99 }) => p99));
}

function batchesOf(
  { indicators, sensorHeaders }: IngestingBench,
  count: number,
): { readonly requests: readonly Buffer[]; readonly batchOf: SentEvents['batchOf'] } {
  const requests: Buffer[] = [];
  const batchOf = new Map<string, number>();
  let batch: Record<string, unknown>[] = [];
  const range = {
    known: indicators,
    begin: NEW_VALUES + indicators,
    newValues: Math.ceil((count * BATCH) / EVENTS_PER_INDICATOR),
    repeats: EVENTS_PER_INDICATOR,
    name: `http-${indicators}`,
    now: Date.now(),
  };
  for (const event of events(range)) {
    const isNew = batch.length % EVENTS_PER_INDICATOR === 0;
    if (isNew && event.tlp !== 'TLP_MARKING_RED') batchOf.set(String(event.value), requests.length);
    batch.push(event);
    if (batch.length < BATCH) continue;
    requests.push(
      request('POST', '/v1/sensorEvents:ingest', sensorHeaders, JSON.stringify({ events: batch })),
    );
    batch = [];
  }
  return { requests, batchOf };
}
