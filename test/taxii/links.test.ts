// Links between indicators in the feed: a Cowrie log gives a chain of relationships, and each goes with either of its ends.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tis } from '../support/command-line.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo } from '../support/sensor-events.ts';
import { judgeFeed } from '../support/stix-feed.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import type { StixObject } from '../support/wire.ts';

const PEER = '198.51.100.61';
const HOST = '192.0.2.80';
const URL_TEXT = `http://${HOST}/a.sh`;
const HASH = 'ab'.repeat(32);

let service: RunningService;
let all: TaxiiClient;
let low: TaxiiClient;

before(async () => {
  service = await RunningService.start();
  all = new TaxiiClient(() => service.url, await service.key({ tlpCeiling: 'RED' }));
  low = new TaxiiClient(() => service.url, await service.key({ tlpCeiling: 'GREEN' }));
});
after(() => service.dispose());

/** Versions of links, as `source kind target count`. Those of sessions have no direction, and are left out. */
async function links(client: TaxiiClient, match: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { items } = await client.objects(match);
  const names = new Map(items.map(({ id, name }) => [id, String(name)]));
  return items.filter(isLink).flatMap((link) => {
    const [extension] = Object.values(link.extensions as Record<string, Record<string, unknown>>);
    const [source, target] = [link.source_ref, link.target_ref].map((id) => names.get(String(id)));
    const { link_kind: kind, link_count: count } = extension ?? {};
    return kind === 'same-session' ? [] : `${source} ${kind} ${target} ${count}`;
  });
}

function isLink({ type, target_ref }: StixObject): boolean {
  return type === 'relationship' && String(target_ref).startsWith('indicator--');
}

async function ingest(lines: readonly object[]): Promise<void> {
  const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
  const words = ['ingest', '--format', 'cowrie', '--data-dir', service.dataDir, '-'];
  const { code, stderr } = await tis(words, { stdin });
  assert.deepEqual([code, stderr], [0, '']);
  await service.settled();
}

function download(session: string, day: number): object {
  return {
    eventid: 'cowrie.session.file_download',
    session,
    src_ip: PEER,
    sensor: 'ssh',
    timestamp: new Date(daysAgo(day)).toISOString(),
    url: URL_TEXT,
    shasum: HASH,
  };
}

async function operate(...words: readonly string[]): Promise<void> {
  const { code, stderr } = await tis(['indicators', ...words, '--data-dir', service.dataDir]);
  assert.deepEqual([code, stderr], [0, '']);
}

const CHAIN = [
  `${PEER} contacted ${HOST}`,
  `${PEER} downloaded ${URL_TEXT}`,
  `${PEER} dropped ${HASH}`,
  `${URL_TEXT} dropped ${HASH}`,
  `${URL_TEXT} hosted-on ${HOST}`,
];

test('a download in a Cowrie log gives the chain from the address to the URL, its host and the file', async () => {
  await ingest([download('s1', 3)]);
  assert.deepEqual(
    (await links(all)).toSorted(),
    CHAIN.map((link) => `${link} 1`),
  );
  assert.deepEqual(await links(low), await links(all));
});

test('a link gets a version when its count has doubled, and the whole feed is STIX 2.1', async () => {
  await ingest([download('s2', 2)]);
  await ingest([download('s3', 1)]);
  const versions = await links(all, { 'match[version]': 'all', 'match[type]': 'relationship,indicator' });
  const counts = Object.groupBy(versions, (link) => link.slice(0, link.lastIndexOf(' ')));
  for (const link of CHAIN) assert.deepEqual(counts[link], [`${link} 1`, `${link} 2`]);
  const { items } = await all.objects({ 'match[version]': 'all' });
  assert.deepEqual(judgeFeed(items).faults, []);
});

test('a link shows the strictest marking of its reports and ends, and only to readers of both', async () => {
  const sensor = service.as(await service.key({ sensor: true, tlpCeiling: 'RED' }));
  const value = '203.0.113.99';
  await sensor.ingest([anEvent({ value, evidence: { 'peer.address': PEER }, tlp: 'TLP_MARKING_RED' })]);
  await service.settled();
  const link = `${PEER} contacted ${value} 1`;
  assert.deepEqual([(await links(all)).includes(link), (await links(low)).includes(link)], [true, false]);
  const { items } = await all.objects({ 'match[type]': 'relationship' });
  const newest = items.filter(isLink).at(-1);
  assert.deepEqual(newest?.object_marking_refs, ['marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1']);
});

test('a link goes from readers who lose one of its ends, and from all with a withdrawn end', async () => {
  const ofLow = async () =>
    (await links(low, { 'match[version]': 'all' })).map((link) => link.replace(/ \d+$/, '')).toSorted();
  await operate('mark', HOST, '--tlp', 'RED');
  assert.deepEqual(
    [...new Set(await ofLow())],
    CHAIN.filter((link) => !link.endsWith(HOST)),
  );
  assert.equal((await links(all)).filter((link) => link.includes(` ${HOST} `)).length, 2);
  await operate('revoke', HASH);
  assert.deepEqual([...new Set(await ofLow())], CHAIN.slice(1, 2));
  assert.deepEqual(
    (await links(all)).filter((link) => link.includes(HASH)),
    [],
  );
  const { code, stdout } = await tis(['check', '--data-dir', service.dataDir]);
  assert.equal(code, 0, stdout);
});
