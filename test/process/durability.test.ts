// `kill -9` in the middle of the work: what was acknowledged is there once, what was begun is finished, and the feed is
// one unbroken log.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve, tis } from '../support/command-line.ts';
import { RestClient } from '../support/http-client.ts';
import { anEvent, events } from '../support/sensor-events.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import { until } from '../support/until.ts';
import type { IngestReply, ManifestRecord, WireEvent } from '../support/wire.ts';

const KILLS = 3;
const SENDERS = 4;
/** Batches acknowledged in each run before the process is killed. */
const ACKNOWLEDGED = 6;
const BATCH = 40;
/** Of each batch so many events name one value that all batches name. */
const SHARED = 5;
const SHARED_VALUE = '198.51.100.1';
/** Longer than a lease of the pipeline: what a killed worker held is free again. */
const LEASE_OVER_MS = 61_000;

let dataDir: string;
let key: string;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tis-durability-'));
  const { stdout } = await tis([
    'keys',
    'create',
    '--name',
    'd',
    '--scope',
    'admin',
    '--json',
    '--data-dir',
    dataDir,
  ]);
  key = (JSON.parse(stdout) as { key: string }).key;
});
after(() => rm(dataDir, { recursive: true }));

/** A service for which so many leases have run out since the test began. */
function serveLater(leases: number): ReturnType<typeof serve> {
  const ahead = `const now=Date.now;Date.now=()=>now()+${leases * LEASE_OVER_MS}`;
  return serve(dataDir, {
    nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(ahead)}`],
    env: { TIS_LOG_LEVEL: 'error' },
  });
}

function aBatch(): readonly WireEvent[] {
  return [...events(BATCH - SHARED), ...events(SHARED, { value: SHARED_VALUE })];
}

interface Sent {
  readonly batch: readonly WireEvent[];
  /** Undefined when the service died before it answered. */
  reply?: IngestReply;
}

/** Sends batches one after the other until the service does not answer any more. */
async function sendAll(client: RestClient, sent: Sent[], onReply: () => void): Promise<void> {
  for (;;) {
    const one: Sent = { batch: aBatch() };
    sent.push(one);
    const answer = await client
      .send('/v1/sensorEvents:ingest', { method: 'POST', body: { events: one.batch } })
      .catch(() => undefined);
    if (answer === undefined) return;
    one.reply = answer.expect<IngestReply>(200);
    onReply();
  }
}

/** Every version in the feed, in its order. */
async function manifestOf(url: string): Promise<readonly ManifestRecord[]> {
  return (await new TaxiiClient(() => url, key).manifest({ 'match[version]': 'all', limit: 5_000 })).items;
}

test('nothing acknowledged is lost or counted twice, and the feed goes on where it was', async () => {
  const sent: Sent[] = [];
  const published: (readonly ManifestRecord[])[] = [];
  for (let run = 0; run < KILLS; run++) {
    const { process: served, url } = await serveLater(run);
    let acknowledged = 0;
    let killed: Promise<unknown> | undefined;
    const client = new RestClient(url, key);
    published.push(await manifestOf(url));
    const senders = Array.from({ length: SENDERS }, () =>
      sendAll(client, sent, () => {
        acknowledged += 1;
        if (acknowledged === ACKNOWLEDGED) killed = served.kill('SIGKILL');
      }),
    );
    await Promise.all(senders);
    await killed;
    assert.ok(acknowledged >= ACKNOWLEDGED);
  }
  const acknowledged = sent.filter(({ reply }) => reply !== undefined);
  assert.ok(acknowledged.length < sent.length, 'no kill came while a batch was on its way');

  const { process: served, url } = await serveLater(KILLS);
  const client = new RestClient(url, key);
  await until(
    'an end of the work that was begun',
    async () => {
      const { pageInfo } = await client.search({
        filter: { states: ['INDICATOR_STATE_RAW', 'INDICATOR_STATE_SCORED'] },
        pageSize: 1,
      });
      return pageInfo.totalCount === '0';
    },
    50_000,
  );
  const resumed = await manifestOf(url);

  // A sender that got no answer sends again; that all others do so too shows what is known.
  for (const { batch, reply } of sent) {
    const again = await client.ingest(batch);
    assert.equal(again.refusedCount, 0);
    if (reply === undefined) continue;
    assert.equal(reply.acceptedCount, BATCH);
    assert.equal(again.duplicateCount, BATCH, 'an acknowledged event was lost');
    assert.deepEqual(
      again.results.map(({ indicatorId }) => indicatorId),
      reply.results.map(({ indicatorId }) => indicatorId),
    );
  }
  await until('all of it enriched', async () => {
    const { pageInfo } = await client.search({
      filter: { states: ['INDICATOR_STATE_ENRICHED'] },
      pageSize: 1,
    });
    return pageInfo.totalCount === String(sent.length * (BATCH - SHARED) + 1);
  });

  const counts = new Map<string, bigint>();
  let pageToken = '';
  do {
    const { indicators, pageInfo } = await client.search({ pagination: { pageSize: 1_000, pageToken } });
    for (const { value, sightings } of indicators) {
      counts.set(
        value,
        sightings.reduce((total, { count }) => total + BigInt(count), 0n),
      );
    }
    pageToken = pageInfo.nextPageToken;
  } while (pageToken !== '');
  assert.equal(counts.get(SHARED_VALUE), BigInt(sent.length * SHARED));
  counts.delete(SHARED_VALUE);
  assert.deepEqual(new Set(counts.values()), new Set([1n]));

  await client.ingest([anEvent()]);
  await until('the last event in the feed', async () => (await manifestOf(url)).length > resumed.length);
  const feed = await manifestOf(url);
  const dates = feed.map(({ date_added }) => date_added);
  assert.deepEqual(dates, [...new Set(dates)].sort(), 'date_added is not strictly increasing');
  assert.equal(
    new Set(feed.map(({ id, version }) => `${id} ${version}`)).size,
    feed.length,
    'a version came twice',
  );
  // What a client had seen before a kill stays, at its place.
  for (const earlier of [...published, resumed]) assert.deepEqual(feed.slice(0, earlier.length), earlier);
  const inFeed = new Set(feed.map(({ id }) => id));
  for (const { reply } of acknowledged) {
    for (const { indicatorId } of reply?.results ?? []) assert.ok(inFeed.has(`indicator--${indicatorId}`));
  }
  const { code } = await served.kill('SIGTERM');
  assert.equal(code, 0);
});
