// `npm run bench`: the speed of the service beside yardsticks of the same run. docs/performance.md explains the figures.

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fall, fallsAgainst } from './against.ts';
import { type Figure, readRun, writeRun } from './figures.ts';
import { fill } from './fill.ts';
import { timeFsync } from './fsync.ts';
import { printGrowth } from './growth.ts';
import { benchIngest } from './ingest.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { tisJson } from './processes.ts';
import { quantile } from './quantiles.ts';
import { benchSize } from './size.ts';
import { percent, printTable, shown } from './table.ts';

const options = optionsOrExit();
const earlier = options.against === undefined ? undefined : readRun(options.against);
const folder = await mkdtemp(join(tmpdir(), 'tis-bench-'));
const figures = new Map<string, Figure>();
try {
  await bench(options);
} finally {
  await rm(folder, { recursive: true, force: true });
}
const run = { at: new Date().toISOString(), node: process.version, indicators: options.indicators, figures };
if (options.json !== undefined) writeRun(options.json, run);
if (earlier !== undefined) printFalls(fallsAgainst(earlier, run));

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

async function bench(options: Options): Promise<void> {
  const { indicators, growTo } = options;
  const dataDir = options.store ?? join(folder, 'data');
  console.log(`${shown(indicators)} indicators, 5 events each, Node ${process.version}\n`);
  benchFsync();
  if (!existsSync(join(dataDir, 'tis.db'))) add(await growStore(dataDir, 0, indicators));
  const reader = await issueKey(dataDir);
  const sensor = await issueKey(dataDir, '--sensor', '--tlp-ceiling', 'RED');
  const common = { dataDir, folder, reader, sensor, options };
  add(await benchSize({ ...common, indicators }));
  let size = indicators;
  for (const larger of growTo) {
    const where = `at ${larger} indicators: `;
    add(await growStore(dataDir, size, larger), where);
    add(await benchSize({ ...common, indicators: larger }), where);
    printGrowth(figures, where);
    size = larger;
  }
}

function growStore(dataDir: string, from: number, to: number): ReturnType<typeof benchIngest> {
  return options.fill
    ? fill(dataDir, folder, { from, to })
    : benchIngest(dataDir, folder, { from, to, rounds: options.rounds });
}

function add(measured: readonly (readonly [string, Figure])[], where = ''): void {
  for (const [name, figure] of measured) figures.set(`${where}${name}`, figure);
}

function benchFsync(): void {
  const times = timeFsync(folder);
  console.log(`one fsync: p50 ${shown(quantile(times, 0.5))} ms, p99 ${shown(quantile(times, 0.99))} ms\n`);
  add([['one fsync', { unit: 'ms', rounds: times }]]);
}

async function issueKey(dataDir: string, ...words: string[]): Promise<Readonly<Record<string, string>>> {
  const { key } = await tisJson<{ readonly key: string }>(
    ...['keys', 'create', '--name', 'bench', '--data-dir', dataDir, ...words],
  );
  return { authorization: `Bearer ${key}` };
}

function printFalls(falls: readonly Fall[]): void {
  if (falls.length === 0) {
    console.log('no figure fell beyond noise');
    return;
  }
  printTable([
    ['fell beyond noise', 'before', 'now', 'worse by', 'noise'],
    ...falls.map(({ name, unit, before, now, by, noise }) => [
      name,
      `${shown(before)} ${unit}`,
      `${shown(now)} ${unit}`,
      percent(by),
      percent(noise),
    ]),
  ]);
  process.exitCode = 1;
}
