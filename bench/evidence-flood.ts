// Hostile evidence: a flood of distinct commands for one address, beside a quiet reporter; then two writers, of which one is
// killed and runs again. What is kept stays within its bytes, counts are exact, and the quiet one keeps what it reported.
//
// `npx node bench/evidence-flood.ts --commands 1000000`

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { EVIDENCE_BYTES, evidenceOf, seenValues } from '../src/domain/evidence/kept-evidence.ts';
import { indicatorId } from '../src/domain/indicator/identity.ts';
import type { SensorEvent } from '../src/domain/indicator/sensor-event.ts';
import type { Reporter } from '../src/pipeline/reporter.ts';
import { createPipeline } from '../src/service/pipeline.ts';
import { openStores } from '../src/service/stores.ts';
import { encodeEvidence } from '../src/store/evidence-codec.ts';
import type { Stores } from '../src/store/stores.ts';

const { values: flags } = parseArgs({
  options: { commands: { type: 'string', default: '1000000' }, lines: { type: 'string', default: '40000' } },
});
const COMMANDS = Number(flags.commands);
const LINES = Number(flags.lines);
const VALUE = '198.51.100.7';
const BATCH = 1_000;
const TIS = fileURLToPath(new URL('../bin/tis.js', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'tis-evidence-'));
try {
  await flood();
  await writersAndAKill();
} finally {
  await rm(folder, { recursive: true });
}

async function flood(): Promise<void> {
  const config = readConfig({ TIS_DATA_DIR: join(folder, 'flood'), TIS_LOG_LEVEL: 'silent' });
  const stores = await openStores(config);
  const { commands } = await createPipeline(stores, config);
  const quiet = { 'command.input': 'uname -a', 'destination.port': '22', 'login.user': 'root' };
  await commands.ingest([eventOf('quiet-1', quiet)], reporterOf('quiet'));
  const before = process.cpuUsage();
  const started = performance.now();
  for (let sent = 0; sent < COMMANDS; sent += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, COMMANDS - sent) }, (_, index) =>
      eventOf(`flood-${sent + index}`, {
        'command.input': commandOf(sent + index),
        'destination.port': '22',
      }),
    );
    await commands.ingest(events, reporterOf('flood'));
  }
  const { user, system } = process.cpuUsage(before);
  const { seen, text } = await evidenceAt(stores);
  const values = seen.flatMap(({ key, values }) => values.map((one) => ({ ...one, key })));
  const countOf = (key: string, value: string) =>
    values.find((one) => one.key === key && one.value === value)?.count ?? 0;
  assert.ok(Buffer.byteLength(text) <= EVIDENCE_BYTES);
  assert.equal(countOf('command.input', 'uname -a'), 1);
  assert.equal(countOf('login.user', 'root'), 1);
  assert.equal(countOf('destination.port', '22'), COMMANDS + 1);
  assert.equal(countOf('sensor.id', 'flooded'), COMMANDS + 1);
  assert.ok(countOf('command.input', commandOf(COMMANDS - 1)) === 1, 'the newest command is kept');
  const commandsKept = values.filter(({ key }) => key === 'command.input').length;
  print(
    `${COMMANDS} distinct commands: ${commandsKept} kept, ${Buffer.byteLength(text)} bytes, ` +
      `${((user + system) / COMMANDS).toFixed(1)} µs CPU an event, ${((performance.now() - started) / 1_000).toFixed(0)} s`,
  );
  await stores.close();
}

async function writersAndAKill(): Promise<void> {
  const dataDir = join(folder, 'writers');
  const logs = await Promise.all(['a', 'b'].map(writeLog));
  const ingest = (index: number) =>
    spawn(
      process.execPath,
      [TIS, 'ingest', '--no-process', '--data-dir', dataDir, '--source', `s${index}`, logs[index] ?? ''],
      { stdio: 'ignore' },
    );
  const [one, other] = [ingest(0), ingest(1)];
  // Somewhere in the middle: the other writer goes on.
  const stores = await openedLater(dataDir);
  while ((await sensorCount(stores)) < LINES / 2) await new Promise((resolve) => setTimeout(resolve, 20));
  one.kill('SIGKILL');
  const atKill = await sensorCount(stores);
  await Promise.all([once(one, 'exit'), once(other, 'exit')]);
  await once(ingest(0), 'exit');
  const { seen, text } = await evidenceAt(stores);
  const counts = Object.fromEntries(
    ['sensor.id', 'destination.port'].map((key) => [
      key,
      seen.find((group) => group.key === key)?.values.reduce((sum, { count }) => sum + count, 0),
    ]),
  );
  assert.deepEqual(counts, { 'sensor.id': 2 * LINES, 'destination.port': 2 * LINES });
  assert.ok(Buffer.byteLength(text) <= EVIDENCE_BYTES);
  print(
    `two writers, one killed at ${atKill} of ${2 * LINES} events and run again: every event counted once, ` +
      `${Buffer.byteLength(text)} bytes`,
  );
  await stores.close();
}

async function openedLater(dataDir: string): Promise<Stores> {
  for (;;) {
    try {
      return await openStores(readConfig({ TIS_DATA_DIR: dataDir, TIS_LOG_LEVEL: 'silent' }));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function sensorCount(stores: Stores): Promise<number> {
  const { seen } = await evidenceAt(stores);
  return (seen.find(({ key }) => key === 'sensor.id')?.values ?? []).reduce((sum, one) => sum + one.count, 0);
}

async function evidenceAt(stores: Stores) {
  const id = indicatorId(stores.installation.secret, 'IPV4', VALUE);
  const kept = evidenceOf((await stores.indicators.evidence(id, 'RED')) ?? []);
  return { seen: seenValues(kept.seen), text: encodeEvidence(kept) };
}

async function writeLog(name: string): Promise<string> {
  const path = join(folder, `${name}.jsonl`);
  const lines = Array.from({ length: LINES }, (_, index) =>
    JSON.stringify({
      eventId: `${name}-${index}`,
      sensorId: `sensor-${name}`,
      value: VALUE,
      observedAt: new Date(Date.now() - index).toISOString(),
      evidence: { 'command.input': commandOf(index), 'destination.port': '22' },
    }),
  );
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

/** With control and bidi characters. */
function commandOf(index: number): string {
  return `echo ${index} \u001b[2J\u202e\u2066 > /tmp/${index}`;
}

function eventOf(eventId: string, evidence: Readonly<Record<string, string>>): SensorEvent {
  return {
    eventId,
    sensorId: 'flooded',
    sensorType: 'NETWORK',
    protocol: 'SSH',
    indicatorType: 'IPV4',
    value: VALUE,
    observedAt: Date.now(),
    count: 1n,
    categories: [],
    severity: 'UNSPECIFIED',
    tags: [],
    labels: [],
    tlp: 'GREEN',
    evidence,
  };
}

function reporterOf(id: string): Reporter {
  const source = { id, name: id, reliability: 0.7 };
  return {
    account: 'default',
    id,
    group: id,
    source,
    title: id,
    sources: [],
    ceiling: 'RED',
    isOperator: true,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
