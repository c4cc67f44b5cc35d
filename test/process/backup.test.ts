// A backup taken under load and restored elsewhere: every client finds the same installation as of one instant.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { serve, type TisProcess, tis } from '../support/command-line.ts';
import { FeedFollower } from '../support/feed-follower.ts';
import { RestClient } from '../support/http-client.ts';
import { events } from '../support/sensor-events.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import { until } from '../support/until.ts';
import type { Envelope, ManifestRecord, WireEvent, WireIndicator } from '../support/wire.ts';

const SENDERS = 3;
const BATCH = 50;
const ENV = { TIS_LOG_LEVEL: 'error' };

let folder: string;
let dataDir: string;
let key: string;
let original: TisProcess;
let url: string;
let client: RestClient;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tis-backup-'));
  dataDir = join(folder, 'data');
  key = (await run('keys', 'create', '--name', 'b', '--scope', 'admin', '--data-dir', dataDir)).key as string;
  ({ process: original, url } = await serve(dataDir, { env: ENV }));
  client = new RestClient(url, key);
});
after(async () => {
  await original.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function run(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await tis([...words, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

async function manifestOf(address: string): Promise<readonly ManifestRecord[]> {
  return (await new TaxiiClient(() => address, key).manifest({ 'match[version]': 'all', limit: 5_000 }))
    .items;
}

async function indicatorsOf(address: string): Promise<readonly WireIndicator[]> {
  const found: WireIndicator[] = [];
  let pageToken = '';
  do {
    const page = await new RestClient(address, key).search({ pagination: { pageSize: 1_000, pageToken } });
    found.push(...page.indicators);
    pageToken = page.pageInfo.nextPageToken;
  } while (pageToken !== '');
  return found;
}

/** Like deepEqual, but does not print thousands of lines on a difference. */
function assertSame(actual: unknown, expected: unknown, what: string): void {
  assert.ok(isDeepStrictEqual(actual, expected), what);
}

/** Sends batches until `stopped`, and collects the acknowledged ones. */
async function sendAll(acknowledged: WireEvent[][], stopped: () => boolean): Promise<void> {
  while (!stopped()) {
    const batch = events(BATCH);
    await client.ingest(batch);
    acknowledged.push(batch);
  }
}

test('under load', async () => {
  const acknowledged: WireEvent[][] = [];
  let stopped = false;
  const sending = Array.from({ length: SENDERS }, () => sendAll(acknowledged, () => stopped));
  await until('a feed with something in it', async () => (await manifestOf(url)).length > 400, 120_000);

  // One client that polls, and one in the middle of a walk.
  const follower = new FeedFollower(key);
  await follower.poll(url);
  const walker = new TaxiiClient(() => url, key);
  const query = { limit: 100 };
  const { next = '' } = (await walker.list('objects', query)).expect<Envelope>(200);

  // A small store is copied faster than a batch is answered, so events may come in during a later try only.
  let [backup, known, meanwhile] = ['', 0, 0];
  let taken: Record<string, unknown> = {};
  for (let attempt = 0; meanwhile === 0 && attempt < 20; attempt++) {
    backup = join(folder, `backup-${attempt}`);
    known = acknowledged.length;
    taken = await run('backup', backup, '--data-dir', dataDir);
    meanwhile = acknowledged.length - known;
  }
  const { createdAt, files } = taken;
  const published = (await manifestOf(url)).length;
  await until(
    'a feed that has gone on since',
    async () => (await manifestOf(url)).length > published,
    120_000,
  );
  stopped = true;
  await Promise.all(sending);
  assert.ok(meanwhile > 0, 'events came in while the backup was taken');
  assert.ok(Date.parse(createdAt as string) <= Date.now());
  assert.deepEqual(
    (files as { name: string }[]).map(({ name }) => name),
    ['tis.db', 'usage.db'],
  );
  const feed = await manifestOf(url);
  const secondPage = (await walker.list('objects', { ...query, next })).expect<Envelope>(200);
  await original.kill('SIGTERM');

  const elsewhere = join(folder, 'elsewhere');
  await run('restore', backup, '--data-dir', elsewhere);
  assert.equal((await run('check', '--data-dir', elsewhere)).ok, true);
  // Without a worker, so that the store stays as it was in the backup.
  const still = await serve(elsewhere, { env: { ...ENV, TIS_WORKERS: '0' } });
  const restored = await manifestOf(still.url);
  assert.ok(restored.length >= follower.seen.length && restored.length < feed.length);
  assert.deepEqual(
    restored,
    feed.slice(0, restored.length),
    'the feed has the same order and the same dates',
  );
  const there = new RestClient(still.url, key);
  for (const batch of acknowledged.slice(0, known)) {
    assert.equal((await there.ingest(batch)).duplicateCount, BATCH, 'what was acknowledged before is in it');
  }
  const walked = await new TaxiiClient(() => still.url, key).list('objects', { ...query, next });
  assertSame(walked.expect<Envelope>(200).objects, secondPage.objects, 'a walk goes on where it was');
  await still.process.kill('SIGTERM');

  const again = await serve(elsewhere, { env: ENV });
  for (const batch of acknowledged) await new RestClient(again.url, key).ingest(batch);
  await until(
    'an empty queue',
    async () => (await run('jobs', 'list', '--data-dir', elsewhere)).pending === 0,
    180_000,
  );
  await follower.confirm(again.url);
  const values = (await indicatorsOf(again.url)).map(({ value }) => value);
  assert.deepEqual(new Set(values), new Set(acknowledged.flat().map(({ value }) => value)));
  await again.process.kill('SIGTERM');
});

test('at rest', async () => {
  const [backup, elsewhere] = [join(folder, 'quiet'), join(folder, 'quiet-elsewhere')];
  await original.kill('SIGTERM');
  await run('backup', backup, '--data-dir', dataDir);
  await run('restore', backup, '--data-dir', elsewhere);
  const env = { ...ENV, TIS_WORKERS: '0' };
  const one = await serve(dataDir, { env });
  const other = await serve(elsewhere, { env });
  assertSame(await indicatorsOf(other.url), await indicatorsOf(one.url), 'the same indicators');
  assertSame(await manifestOf(other.url), await manifestOf(one.url), 'the same feed');
  await Promise.all([one.process.kill('SIGTERM'), other.process.kill('SIGTERM')]);
});

test('a restore refuses a folder that is not empty, and what is no backup', async () => {
  const full = await tis(['restore', join(folder, 'quiet'), '--data-dir', dataDir]);
  assert.equal(full.code, 1);
  assert.equal(full.stderr, `tis: ${dataDir} is not empty\n`);
  const none = await tis(['restore', dataDir, '--data-dir', join(folder, 'new')]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /^tis: .* has no backup\.json\n$/);
});

test('what it prints holds no secret', async () => {
  const { stdout, stderr } = await tis(['backup', join(folder, 'printed'), '--data-dir', dataDir]);
  assert.equal(stderr, '');
  assert.match(stdout, /tis\.db, usage\.db as of \d{4}-/);
  assert.doesNotMatch(stdout, /tis_|[0-9a-f]{64}/);
});
