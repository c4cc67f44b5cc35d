// `kill -9` at a random acknowledgement while four sensors send and a client follows the feed: every acknowledged event
// is stored once, work that had begun is finished, and the feed keeps its order. The suite kills three times;
// `npm run crash -- --kills 20 --seed 7` takes any number.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../bench/random.ts';
import { serve, tis } from '../support/command-line.ts';
import { FeedFollower } from '../support/feed-follower.ts';
import { RestClient } from '../support/http-client.ts';
import { SteppingClock } from '../support/stepping-clock.ts';
import { until } from '../support/until.ts';
import type { WireIndicator } from '../support/wire.ts';
import { Sender } from './sender.ts';

const { values: flags } = parseArgs({
  options: { kills: { type: 'string', default: '3' }, seed: { type: 'string' } },
  strict: false,
});
const KILLS = Number(flags.kills);
const SEED = Number(flags.seed ?? Date.now() % 1_000_000);
const SENDERS = 4;
/** Each kill comes at a random acknowledgement, this one at the latest. */
const MOST_ACKNOWLEDGED = 40;
/** Longer than a lease of the pipeline, so the jobs of a killed worker are free again. */
const LEASE_OVER_MS = 61_000;
const RESUMED_WITHIN_MS = 300_000;

const clock = new SteppingClock();

test(`${KILLS} kills, seed ${SEED}`, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tis-crash-'));
  t.after(() => {
    rmSync(dataDir, { recursive: true });
    clock.dispose();
  });
  const random = seededRandom(SEED);
  const key = await createKey(dataDir);
  const senders = Array.from(
    { length: SENDERS },
    (_, index) => new Sender(`${index + 1}`, seededRandom(SEED + index)),
  );
  const follower = new FeedFollower(key);
  const started = performance.now();

  for (let run = 0; run < KILLS; run++) {
    const { process: served, url } = await serveLater(dataDir, run);
    const killAt = 1 + Math.floor(random() * MOST_ACKNOWLEDGED);
    let acknowledged = 0;
    const client = new RestClient(url, key);
    const sending = senders.map((sender) =>
      sender.send(client, () => {
        acknowledged += 1;
        if (acknowledged === killAt) void served.kill('SIGKILL');
        return false;
      }),
    );
    // The service may be gone before the poll has ended.
    const polling = follower
      .poll(url)
      .catch((error: unknown) => assert.ok(error instanceof TypeError, String(error)));
    await Promise.all([...sending, polling]);
    await served.finished();
  }

  const { process: served, url } = await serveLater(dataDir, KILLS);
  const client = new RestClient(url, key);
  await Promise.all(senders.map((sender) => sender.send(client, () => true)));
  await until('an end of the work that was begun', () => isQueueEmpty(dataDir), RESUMED_WITHIN_MS);

  const receipts = senders.flatMap((sender) => sender.receipts);
  await assertEveryEventOnce(client, receipts);
  await follower.confirm(url);
  const inFeed = new Set(follower.seen.map(({ id }) => id));
  for (const { indicatorId } of receipts) assert.ok(inFeed.has(`indicator--${indicatorId}`));
  assert.equal((await served.kill('SIGTERM')).code, 0);
  const checked = await tis(['check', '--json', '--data-dir', dataDir]);
  assert.equal(checked.code, 0, checked.stdout);

  const unanswered = senders.reduce((sum, sender) => sum + sender.durableUnanswered, 0);
  t.diagnostic(
    `${KILLS} kills in ${((performance.now() - started) / 1_000).toFixed(0)} s: ${receipts.length} events acknowledged, ` +
      `each present once; ${unanswered} batches were durable without an answer; ` +
      `${follower.seen.length} versions in the feed, in one order`,
  );
});

async function createKey(dataDir: string): Promise<string> {
  const created = await tis([
    'keys',
    'create',
    '--name',
    'crash',
    '--scope',
    'admin',
    '--json',
    '--data-dir',
    dataDir,
  ]);
  return JSON.parse(created.stdout).key;
}

/** A service whose clock is ahead by this number of leases. */
function serveLater(dataDir: string, leases: number): ReturnType<typeof serve> {
  clock.set(leases * LEASE_OVER_MS);
  return serve(dataDir, {
    nodeArguments: clock.nodeArguments,
    env: { TIS_LOG_LEVEL: 'error' },
  });
}

async function isQueueEmpty(dataDir: string): Promise<boolean> {
  const { stdout } = await tis(['jobs', 'list', '--json', '--data-dir', dataDir]);
  const { pending, dead } = JSON.parse(stdout);
  assert.equal(dead, 0);
  return pending === 0;
}

/** Every indicator has one sighting for each acknowledged event about it, and there are no other indicators. */
async function assertEveryEventOnce(
  client: RestClient,
  receipts: readonly { value: string; indicatorId: string }[],
): Promise<void> {
  const expected = new Map<string, bigint>();
  const ids = new Map<string, string>();
  for (const { value, indicatorId } of receipts) {
    expected.set(value, (expected.get(value) ?? 0n) + 1n);
    assert.equal(ids.get(value) ?? indicatorId, indicatorId, 'a receipt names the indicator of its value');
    ids.set(value, indicatorId);
  }
  const found = new Map<string, bigint>();
  for await (const { id, value, state, sightings } of everything(client)) {
    assert.equal(id, ids.get(value));
    assert.equal(state, 'INDICATOR_STATE_ENRICHED');
    found.set(
      value,
      sightings.reduce((sum, { count }) => sum + BigInt(count), 0n),
    );
  }
  assert.deepEqual(new Map([...found].sort()), new Map([...expected].sort()));
  for (const [value, count] of expected) {
    if (count > 1n)
      assert.equal(await sensorCount(client, ids.get(value) ?? ''), count, 'evidence of each event, once');
  }
}

/** How many events the kept evidence counts. */
async function sensorCount(client: RestClient, id: string): Promise<bigint> {
  const { seen } = (await client.send(`/v1/indicators/${id}:evidence`)).expect<KeptJson>(200);
  const sensors = seen.find(({ key }) => key === 'sensor.id')?.values ?? [];
  return sensors.reduce((sum, { count }) => sum + BigInt(count), 0n);
}

interface KeptJson {
  readonly seen: readonly { readonly key: string; readonly values: readonly { readonly count: string }[] }[];
}

async function* everything(client: RestClient): AsyncGenerator<WireIndicator> {
  let pageToken = '';
  do {
    const { indicators, pageInfo } = await client.search({ pagination: { pageSize: 1_000, pageToken } });
    yield* indicators;
    pageToken = pageInfo.nextPageToken;
  } while (pageToken !== '');
}
