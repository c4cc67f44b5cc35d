// Declared collections: their members, walks through them, and their life across restarts.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve, tis } from '../support/command-line.ts';
import type { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo } from '../support/sensor-events.ts';
import { stixFaults } from '../support/stix-rules.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import type { Envelope, ManifestPage, StixObject, WireEvent } from '../support/wire.ts';

const ICS = '4b6c1f0e-93d7-4a58-8f21-6d0e5b7ac394';
const TAGGED = {
  id: '0f8d6c2a-7b3e-4d19-9a5c-e1f2a3b4c5d6',
  title: 'Campaign 7',
  description: 'What is tagged so.',
  alias: 'campaign-7',
  filter: { tags: ['campaign-7'] },
};
const LATE = {
  id: '9b1e4c7d-2f5a-4836-8d09-3c6e8f0a1b2d',
  title: 'Late',
  description: 'Declared late.',
  filter: { sensor_types: ['SENSOR_TYPE_NETWORK'] },
};

let folder: string;
let file: string;
let service: RunningService;
let client: TaxiiClient;
let sensor: RestClient;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tis-collections-'));
  file = join(folder, 'collections.json');
  await declare(TAGGED);
  service = await RunningService.start({ TIS_COLLECTIONS: file });
  client = new TaxiiClient(() => service.url, await service.key({ tlpCeiling: 'RED' }));
  await reconnect();
});
after(async () => {
  await service.dispose();
  await rm(folder, { recursive: true });
});

async function reconnect(): Promise<void> {
  sensor = service.as(await service.key({ sensor: true, tlpCeiling: 'RED' }));
}

function declare(...collections: readonly object[]): Promise<void> {
  return writeFile(file, JSON.stringify(collections));
}

async function take(...batch: readonly WireEvent[]): Promise<readonly string[]> {
  const { results } = await sensor.ingest(batch);
  await service.settled();
  return results.map(({ indicatorId }) => `indicator--${indicatorId}`);
}

/** All items of a listing, read in pages of this size. */
async function walk(collection: string, query = '', limit = 1_000): Promise<StixObject[]> {
  const objects: StixObject[] = [];
  let next = '';
  for (;;) {
    const path = `/taxii2/collections/${collection}/objects/?limit=${limit}${query}${next}`;
    const page = (await client.get(path)).expect<Envelope>(200);
    objects.push(...(page.objects ?? []));
    if (!page.more) return objects;
    next = `&next=${page.next}`;
  }
}

async function indicatorsIn(collection: string): Promise<Set<string>> {
  return new Set((await walk(collection, '&match[type]=indicator')).map(({ id }) => id));
}

test('indicators that the filter matches, with everything about them, found by id and by alias', async () => {
  const [ics = '', network = '', both = ''] = await take(
    anEvent(),
    anEvent({ sensorType: 'SENSOR_TYPE_NETWORK', tags: ['campaign-7'] }),
    anEvent({ tags: ['campaign-7'] }),
  );
  assert.deepEqual(await indicatorsIn(ICS), new Set([ics, both]));
  assert.deepEqual(await indicatorsIn('ics'), new Set([ics, both]));
  assert.deepEqual(await indicatorsIn(TAGGED.id), new Set([network, both]));
  for (const collection of [ICS, TAGGED.alias]) {
    const objects = await walk(collection, '&match[version]=all', 3);
    const earlier = new Set<string>();
    for (const object of objects) {
      assert.deepEqual(stixFaults(object, earlier), []);
      earlier.add(object.id);
    }
    const members = await indicatorsIn(collection);
    for (const { source_ref, sighting_of_ref } of objects) {
      const owner = source_ref ?? sighting_of_ref;
      if (owner !== undefined) assert.ok(members.has(String(owner)));
    }
    assert.ok(objects.some(({ type }) => type === 'sighting'));
  }
});

test('are listed in the order of their ids, with a title and an alias', async () => {
  const { collections } = (await client.get('/taxii2/collections/')).expect<{
    collections: { id: string; title: string; alias?: string; can_read: boolean; can_write: boolean }[];
  }>(200);
  assert.deepEqual(
    collections.map(({ id, alias }) => [id, alias]),
    [
      [TAGGED.id, TAGGED.alias],
      [ICS, 'ics'],
      ['service-global-feed', undefined],
    ],
  );
  for (const { can_read, can_write } of collections) assert.deepEqual([can_read, can_write], [true, false]);
  const byAlias = (await client.get('/taxii2/collections/campaign-7/')).expect<{ id: string }>(200);
  assert.equal(byAlias.id, TAGGED.id);
});

test('an object has one date_added, whatever collection it is read from', async () => {
  const dates = async (collection: string) => {
    const path = `/taxii2/collections/${collection}/manifest/?limit=5000&match[version]=all`;
    const answer = await client.get(path);
    const { objects = [] } = answer.expect<ManifestPage>(200);
    assert.equal(answer.headers.get('x-taxii-date-added-first'), objects[0]?.date_added);
    assert.equal(answer.headers.get('x-taxii-date-added-last'), objects.at(-1)?.date_added);
    return objects.map(({ id, version, date_added }) => `${id} ${version} ${date_added}`);
  };
  const whole = new Set(await dates('service-global-feed'));
  for (const line of await dates('ics')) assert.ok(whole.has(line));
});

test('a cursor belongs to one collection; what is not in it is not there', async () => {
  const page = (await client.get('/taxii2/collections/ics/objects/?limit=1')).expect<Envelope>(200);
  const other = `/taxii2/collections/${TAGGED.id}/objects/?next=${page.next}`;
  assert.equal((await client.get(other)).status, 400);
  const [outside] = await take(anEvent({ sensorType: 'SENSOR_TYPE_NETWORK' }));
  assert.equal((await client.get(`/taxii2/collections/ics/objects/${outside}/`)).status, 404);
  assert.equal((await client.get(`/taxii2/collections/service-global-feed/objects/${outside}/`)).status, 200);
});

test('an object that comes to match joins, with what was published about it before', async () => {
  const value = '198.51.100.90';
  const [stixId = ''] = await take(anEvent({ value }));
  const path = `/taxii2/collections/${TAGGED.id}/objects/?limit=5000`;
  const answer = await client.get(path);
  const last = answer.headers.get('x-taxii-date-added-last');
  assert.equal((await indicatorsIn(TAGGED.id)).has(stixId), false);
  await take(anEvent({ value, tags: ['campaign-7'] }));
  const news = (await client.get(`${path}&added_after=${last}`)).expect<Envelope>(200).objects ?? [];
  const types = new Set(
    news
      .filter((one) => [one.id, one.source_ref, one.sighting_of_ref].includes(stixId))
      .map(({ type }) => type),
  );
  assert.deepEqual(types, new Set(['indicator', 'relationship', 'sighting']));
});

test('one that is declared later is filled at the start, and outlives the file', async () => {
  const [network = ''] = await take(anEvent({ sensorType: 'SENSOR_TYPE_NETWORK' }));
  assert.equal((await client.get(`/taxii2/collections/${LATE.id}/objects/`)).status, 404);
  await declare(TAGGED, LATE);
  await service.restart();
  await reconnect();
  const filled = await indicatorsIn(LATE.id);
  assert.ok(filled.has(network));
  const objects = await walk(LATE.id, '&match[version]=all', 2);
  const earlier = new Set<string>();
  for (const object of objects) {
    assert.deepEqual(stixFaults(object, earlier), []);
    earlier.add(object.id);
  }
  const [another = ''] = await take(anEvent({ sensorType: 'SENSOR_TYPE_NETWORK' }));
  assert.deepEqual(await indicatorsIn(LATE.id), new Set([...filled, another]));

  // A file without it takes it out of use.
  await declare(TAGGED);
  await service.restart();
  await reconnect();
  assert.equal((await client.get(`/taxii2/collections/${LATE.id}/objects/`)).status, 404);
});

test('one that is declared later makes no version of what is in it already', async () => {
  const everything = { ...LATE, id: 'e5a1b7c3-4d92-4f60-8b1e-2c7d9f3a6e84', title: 'Everything', filter: {} };
  const value = '198.51.100.91';
  const days = [4, 3, 2, 1, 0].map((age) => anEvent({ value, observedAt: daysAgo(age) }));
  const [stixId = ''] = await take(...days);
  await declare(TAGGED, everything);
  await service.restart();
  await reconnect();
  const versions = async () => {
    const objects = await walk(everything.id, '&match[version]=all');
    return objects.filter((one) => [one.id, one.source_ref, one.sighting_of_ref].includes(stixId));
  };
  const earlier = await versions();
  assert.equal(earlier.filter(({ type }) => type === 'sighting').length, days.length);
  assert.ok(earlier.some(({ type }) => type === 'relationship'));
  await take(anEvent({ value, tags: ['seen-again'] }));
  // The one sighting of five whose count has doubled.
  assert.deepEqual(
    (await versions()).slice(earlier.length).map(({ type }) => type),
    ['indicator', 'sighting'],
  );
});

test('a file that cannot be used is told with every fault, and nothing starts', async () => {
  const bad = join(folder, 'bad.json');
  await writeFile(bad, JSON.stringify([{ ...TAGGED, id: '1', filter: { tag: [] } }]));
  const data = join(folder, 'data');
  const started = serve(data, { env: { TIS_COLLECTIONS: bad } });
  await assert.rejects(started, /\[0\]\.id[\s\S]*\[0\]\.filter\.tag/);
});

test('whoever is running publishes into what another process declares', async () => {
  const declared = { ...LATE, id: 'c2f7d9a4-6b1e-4f53-9a08-7d5e3c1b0f42', title: 'Declared elsewhere' };
  // The worker of the service uses the current collections.
  await take(anEvent());
  await declare(declared);
  const empty = join(folder, 'nothing.jsonl');
  await writeFile(empty, '');
  const done = await tis(['ingest', '--data-dir', service.dataDir, '--format', 'sensor-events', empty], {
    env: { TIS_COLLECTIONS: file },
  });
  assert.deepEqual([done.code, done.stderr], [0, '']);
  const [member = ''] = await take(anEvent({ sensorType: 'SENSOR_TYPE_NETWORK' }));
  await service.restart();
  assert.ok((await indicatorsIn(declared.id)).has(member));
});
