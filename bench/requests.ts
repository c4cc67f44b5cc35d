// Requests in a closed loop beside three yardsticks: bare Fastify that sends the same bytes, bare Fastify that joins the same
// records, and the same statements without HTTP.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerTo } from './client.ts';
import { CPU_SHARE, type Figure, RATE_SHARE } from './figures.ts';
import { request } from './load.ts';
import { type BareAnswers, type Server, scriptJson, startBare } from './processes.ts';
import { median } from './quantiles.ts';
import { type Headers, requestsOf, type Scenario } from './scenarios.ts';
import { percent, printTable, shown } from './table.ts';
import { cpuOf, type Round, runTrial, type TrialOptions, threadTime } from './trial.ts';

export interface RequestBench {
  readonly service: Server;
  readonly dataDir: string;
  readonly headers: Headers;
  /** For files of the benchmark. */
  readonly folder: string;
  readonly options: TrialOptions;
}

interface Result {
  readonly name: string;
  readonly service: readonly Round[];
  readonly constant: readonly Round[];
  /** Searches only. */
  readonly join: readonly Round[] | undefined;
  /** CPU microseconds of each call without HTTP, by round. */
  readonly alone: readonly number[];
}

export async function benchRequests(
  bench: RequestBench,
  scenarios: readonly Scenario[],
): Promise<readonly (readonly [string, Figure])[]> {
  const alone = new Map(await readWithoutHttp(bench, scenarios));
  const results: Result[] = [];
  for (const scenario of scenarios) {
    console.error(`  ${scenario.name}`);
    const rounds = await compare(bench, scenario);
    results.push({ name: scenario.name, ...rounds, alone: alone.get(scenario.name) ?? [] });
  }
  printResults(results);
  return results.flatMap(figuresOf);
}

function readWithoutHttp(
  { dataDir, folder, options }: RequestBench,
  scenarios: readonly Scenario[],
): Promise<readonly (readonly [string, readonly number[]])[]> {
  console.error('  the same statements without HTTP');
  const file = join(folder, 'scenarios.json');
  writeFileSync(file, JSON.stringify(scenarios));
  return scriptJson('./store-reads.ts', dataDir, file, '1', String(options.rounds));
}

async function compare(
  { service, headers, folder, options }: RequestBench,
  scenario: Scenario,
): Promise<Omit<Result, 'name' | 'alone'>> {
  const answers = await answersTo(service, scenario, headers);
  await using bare = await startBare(folder, answers);
  const isSearch = answers.pages.length > 0;
  const method = isSearch ? 'POST' : 'GET';
  const body = isSearch ? JSON.stringify(scenario.calls.find((call) => 'search' in call)?.search) : '';
  const sides = [
    { server: service, requests: requestsOf(scenario, headers) },
    { server: bare, requests: [request(method, '/constant', headers, body)] },
    ...(isSearch ? [{ server: bare, requests: [request('POST', '/join', headers, body)] }] : []),
  ];
  const [ours = [], constant = [], joined] = await runTrial(sides, {
    ...options,
    connections: scenario.connections,
  });
  return { service: ours, constant, join: joined };
}

async function answersTo(service: Server, { calls }: Scenario, headers: Headers): Promise<BareAnswers> {
  const bodies: string[] = [];
  const pages: string[][] = [];
  for (const call of calls) {
    const { body } = await answerTo(service, call, headers);
    bodies.push(body);
    if (!('search' in call)) continue;
    const page = JSON.parse(body) as { readonly indicators: readonly object[] };
    pages.push(page.indicators.map((one) => JSON.stringify(one)));
  }
  return { bodies, pages };
}

const THREADS = ['main', 'metering', 'pipeline', 'other'];

function printResults(results: readonly Result[]): void {
  printTable([
    ['request', 'rate/s', 'p50 ms', 'p99 ms', 'CPU us', ...THREADS.map((thread) => `${thread} us`)],
    ...results.map(({ name, service }) => [
      name,
      ...[rates(service), service.map(({ p50 }) => p50), service.map(({ p99 }) => p99), cpu(service)].map(
        (values) => shown(median(values)),
      ),
      ...THREADS.map((thread) => shown(threadTime(service, thread))),
    ]),
  ]);
  const columns = ['CPU us', 'share by CPU', 'by rate'];
  printTable([
    [
      'yardsticks',
      ...columns.map((name) => `constant: ${name}`),
      ...columns.map((name) => `join: ${name}`),
      'no HTTP: CPU us',
    ],
    ...results.map(({ name, service, constant, join: joined, alone }) => [
      name,
      ...yardstickCells(service, constant),
      ...(joined === undefined ? ['', '', ''] : yardstickCells(service, joined)),
      shown(median(alone)),
    ]),
  ]);
}

function yardstickCells(service: readonly Round[], yardstick: readonly Round[]): readonly string[] {
  return [
    shown(median(cpu(yardstick))),
    percent(median(shares(cpu(yardstick), cpu(service)))),
    percent(median(shares(rates(service), rates(yardstick)))),
  ];
}

function figuresOf({ name, service, constant, join: joined, alone }: Result): [string, Figure][] {
  const against = (yardstick: readonly Round[], title: string): [string, Figure][] => [
    [
      `${name}: share of ${title} by CPU`,
      { unit: '', rounds: shares(cpu(yardstick), cpu(service)), compare: CPU_SHARE },
    ],
    [
      `${name}: share of ${title} by rate`,
      { unit: '', rounds: shares(rates(service), rates(yardstick)), compare: RATE_SHARE },
    ],
    [`${name}: CPU of ${title}`, { unit: 'us', rounds: cpu(yardstick) }],
  ];
  return [
    [`${name}: rate`, { unit: '/s', rounds: rates(service) }],
    [`${name}: p50`, { unit: 'ms', rounds: service.map(({ p50 }) => p50) }],
    [`${name}: p99`, { unit: 'ms', rounds: service.map(({ p99 }) => p99) }],
    [`${name}: CPU`, { unit: 'us', rounds: cpu(service) }],
    ...against(constant, 'a constant body'),
    ...(joined === undefined ? [] : against(joined, 'a join from memory')),
    [`${name}: CPU without HTTP`, { unit: 'us', rounds: alone }],
  ];
}

function rates(rounds: readonly Round[]): readonly number[] {
  return rounds.map(({ perSecond }) => perSecond);
}

function cpu(rounds: readonly Round[]): readonly number[] {
  return rounds.map(cpuOf);
}

/** The ratio of each round. */
function shares(parts: readonly number[], wholes: readonly number[]): readonly number[] {
  return parts.map((part, round) => part / (wholes[round] ?? Number.NaN));
}
