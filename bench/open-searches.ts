// Searches that arrive at a fixed rate: on an idle service, and while events come in.

import { type Figure, LATENCY } from './figures.ts';
import { type OpenLoadResult, runOpenLoop } from './open-loop.ts';
import type { Server } from './processes.ts';
import { median } from './quantiles.ts';
import { type Headers, requestsOf, type Scenario } from './scenarios.ts';
import { printTable, shown } from './table.ts';

/** More than are busy at any time, unless the server does not keep up. */
const CONNECTIONS = 64;

export interface OpenOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly perSecond: number;
}

export interface OpenRow {
  readonly name: string;
  readonly perSecond: number;
  readonly rounds: readonly OpenLoadResult[];
}

export async function runSearches(
  service: Server,
  headers: Headers,
  scenario: Scenario,
  { rounds, seconds, perSecond }: OpenOptions,
): Promise<OpenRow> {
  console.error(`  ${scenario.name}, open loop`);
  const load = { port: service.port, requests: requestsOf(scenario, headers), connections: CONNECTIONS };
  await runOpenLoop({ ...load, perSecond, seconds: 1 });
  const results: OpenLoadResult[] = [];
  for (let round = 0; round < rounds; round++) {
    results.push(await runOpenLoop({ ...load, perSecond, seconds }));
  }
  return { name: scenario.name, perSecond, rounds: results };
}

export function printOpenRows(title: string, rows: readonly OpenRow[]): void {
  printTable([
    [title, 'rate/s', 'p50 ms', 'p99 ms', 'unanswered'],
    ...rows.map(({ name, perSecond, rounds }) => [
      name,
      shown(perSecond),
      shown(median(rounds.map(({ p50 }) => p50))),
      shown(median(rounds.map(({ p99 }) => p99))),
      String(rounds.reduce((sum, { unanswered }) => sum + unanswered, 0)),
    ]),
  ]);
}

export function openFigures(where: string, rows: readonly OpenRow[]): readonly (readonly [string, Figure])[] {
  return rows.flatMap(({ name, perSecond, rounds }): [string, Figure][] => {
    const title = `${name}, ${perSecond} a second${where}`;
    return [
      [`${title}: p50`, { unit: 'ms', rounds: rounds.map(({ p50 }) => p50), compare: LATENCY }],
      [`${title}: p99`, { unit: 'ms', rounds: rounds.map(({ p99 }) => p99), compare: LATENCY }],
    ];
  });
}
