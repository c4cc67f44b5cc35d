// `npx node bench/flood.ts [attack …]`: hostile clients beside an honest one. For each attack it starts a service of its own
// and prints the memory of the service, the slowest `/livez` and the rates of the honest client.
//
//   openapi   60 connections pipeline 1,500 requests each and read nothing
//   pages     60 connections pipeline 62 kB of requests for large pages with one key and read nothing
//   unread    400 connections of one key request a large page each and do not read it
//   batches   one sensor key keeps 120 batches of 6 MB under way
//   uploads   200 uploads of 8 MiB by one sensor key that stall before their end

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { writeEvents } from './events.ts';
import type { Target } from './flood-attacks.ts';
import { HonestClient } from './honest-client.ts';
import { startTis, tisJson } from './processes.ts';

const ATTACKS: readonly Target['attack'][] = ['openapi', 'pages', 'unread', 'batches', 'uploads'];
const INDICATORS = 4_000;
const SECONDS_BEFORE = 8;
const SECONDS = 30;

const wanted = ATTACKS.filter((name) => process.argv.length === 2 || process.argv.includes(name));
console.log(
  'attack     memory before  peak MB  after MB  /livez ms  gets/s        batches/s     slowest get, batch ms',
);
for (const attack of wanted) await flood(attack);

async function flood(attack: Target['attack']): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tis-flood-'));
  try {
    const dataDir = join(folder, 'data');
    await writeEvents(join(folder, 'events.jsonl'), INDICATORS, 2, Date.now());
    await tisJson('ingest', join(folder, 'events.jsonl'), '--data-dir', dataDir);
    const readKey = () => keyOf(dataDir, []);
    const sensorKey = () => keyOf(dataDir, ['--sensor']);
    await using service = await startTis(dataDir);
    const { port, pid } = service;
    const honest = new HonestClient(port, await readKey(), await sensorKey());
    await honest.prepare();
    await honest.run(2);
    const calm = await honest.run(SECONDS_BEFORE);
    const before = await residentMegabytes(pid);
    const target: Target = { attack, port, readKey: await readKey(), sensorKey: await sensorKey() };
    const attacker = new Worker(new URL('./flood-attacks.ts', import.meta.url), { workerData: target });
    const peak = { memory: 0, answer: 0 };
    const watching = new AbortController();
    const watched = Promise.all([
      repeat(watching.signal, async () => {
        peak.memory = Math.max(peak.memory, await residentMegabytes(pid));
      }),
      repeat(watching.signal, async () => {
        peak.answer = Math.max(peak.answer, await answerTime(`http://127.0.0.1:${port}/livez`));
      }),
    ]);
    const attacked = await honest.run(SECONDS);
    await attacker.terminate();
    watching.abort();
    await watched;
    await delay(3_000);
    const after = await residentMegabytes(pid);
    const rates = (name: 'gets' | 'batches') => `${calm[name].toFixed(1)} → ${attacked[name].toFixed(1)}`;
    console.log(
      `${attack.padEnd(10)} ${pad(before, 13)}  ${pad(peak.memory, 7)}  ${pad(after, 8)}  ${pad(peak.answer, 9)}  ` +
        `${rates('gets').padEnd(12)}  ${rates('batches').padEnd(12)}  ${attacked.slowestGet}, ${attacked.slowestBatch}`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function pad(value: number, width: number): string {
  return String(value).padStart(width);
}

async function keyOf(dataDir: string, words: readonly string[]): Promise<string> {
  const create = ['keys', 'create', '--name', 'flood', ...words, '--data-dir', dataDir];
  return (await tisJson<{ key: string }>(...create)).key;
}

async function repeat(signal: AbortSignal, measure: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await measure().catch(() => undefined);
    await delay(100);
  }
}

async function answerTime(url: string): Promise<number> {
  const started = performance.now();
  await (await fetch(url)).text();
  return Math.round(performance.now() - started);
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024);
}
