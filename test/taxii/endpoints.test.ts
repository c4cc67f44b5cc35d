// The TAXII 2.1 interface: credentials, media types, ceilings and errors. Paging is in paging.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RestClient, send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo, events } from '../support/sensor-events.ts';
import { stixFaults } from '../support/stix-rules.ts';
import { COLLECTION, faultOf, idsOf, TAXII_MEDIA_TYPE, TaxiiClient } from '../support/taxii-client.ts';
import type { Envelope, StixObject } from '../support/wire.ts';

const OBJECTS = `${COLLECTION}/objects/`;
const MARKINGS = ['CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'];

let service: RunningService;
let key: string;
let client: TaxiiClient;
let sensor: RestClient;

before(async () => {
  service = await RunningService.start();
  key = await service.key({ tlpCeiling: 'RED' });
  client = new TaxiiClient(() => service.url, key);
  sensor = service.as(await service.key({ sensor: true, tlpCeiling: 'RED' }));
  await take([
    ...MARKINGS.flatMap((tlp) => events(4, { tlp: `TLP_MARKING_${tlp}` })),
    anEvent({
      value: `http://'quoted'.example/\\a?b=["c"]`,
      indicatorType: 'INDICATOR_TYPE_URL',
      tags: ['t'],
    }),
    anEvent({
      value: 'a'.repeat(32),
      indicatorType: 'INDICATOR_TYPE_JA3',
      labels: [{ key: 'k', value: '' }],
    }),
    anEvent({ value: 'b'.repeat(40), indicatorType: 'INDICATOR_TYPE_SSL_CERT_FINGERPRINT' }),
    anEvent({ value: 'c'.repeat(64), observedAt: daysAgo(300) }),
    anEvent({ value: '192.0.2.0/25', observedAt: daysAgo(300) }),
    anEvent({ value: 'mallory@evil.example', categories: ['THREAT_CATEGORY_PHISHING'], evidence: {} }),
    anEvent({
      value: 'evil.example',
      sensorType: 'SENSOR_TYPE_UNSPECIFIED',
      protocol: 'PROTOCOL_UNSPECIFIED',
    }),
  ]);
});
after(() => service.dispose());

/** Ingests events and waits until the feed has them. */
async function take(batch: Parameters<RestClient['ingest']>[0]): Promise<readonly string[]> {
  const { results } = await sensor.ingest(batch);
  await service.settled();
  return results.map(({ indicatorId }) => indicatorId);
}

test('discovery is public and is the API root as well', async () => {
  for (const path of ['/taxii2/', '/taxii2']) {
    const answer = await send(service.url + path, { headers: { accept: TAXII_MEDIA_TYPE } });
    assert.equal(answer.headers.get('content-type'), TAXII_MEDIA_TYPE);
    const body = answer.expect<Record<string, unknown>>(200);
    assert.ok(typeof body.title === 'string' && body.title.length > 0);
    assert.deepEqual(body.api_roots, ['/taxii2/']);
    assert.equal(body.default, '/taxii2/');
    assert.deepEqual(body.versions, [TAXII_MEDIA_TYPE, '2.1']);
    assert.ok(Number(body.max_content_length) > 0);
  }
});

test('the collections, and one of them', async () => {
  const { collections } = (await client.get('/taxii2/collections/')).expect<{
    collections: { id: string }[];
  }>(200);
  const ids = collections.map(({ id }) => id);
  assert.ok(ids.includes('service-global-feed'));
  assert.deepEqual(ids, ids.toSorted());
  const listed = collections.find(({ id }) => id === 'service-global-feed');
  assert.deepEqual((await client.get(`${COLLECTION}/`)).expect(200), listed);
  const { description: _, ...members } = listed as Record<string, unknown>;
  assert.deepEqual(members, {
    id: 'service-global-feed',
    title: 'Service Global Feed',
    can_read: true,
    can_write: false,
    media_types: ['application/stix+json;version=2.1'],
  });
});

describe('credentials', () => {
  const paths = ['/taxii2/collections/', `${COLLECTION}/`, OBJECTS, `${COLLECTION}/manifest/`];
  const statuses = (authorization?: string) =>
    Promise.all(
      paths.map(async (path) => {
        const headers = {
          accept: TAXII_MEDIA_TYPE,
          ...(authorization === undefined ? {} : { authorization }),
        };
        return send(service.url + path, { headers });
      }),
    );

  for (const [form, authorization] of [
    ['Bearer', () => `Bearer ${key}`],
    ['Basic, the key as password', () => `Basic ${btoa(`poller:${key}`)}`],
    ['Basic, the key as user name', () => `Basic ${btoa(`${key}:`)}`],
    ['Basic, the key as user name with any password', () => `Basic ${btoa(`${key}:x:y`)}`],
    ['Basic in lower case', () => `basic ${btoa(`:${key}`)}`],
    ['Token', () => `Token ${key}`],
  ] as const) {
    test(`an API key as ${form}`, async () => {
      for (const answer of await statuses(authorization())) assert.equal(answer.status, 200, answer.text);
    });
  }

  test('none and invalid ones are 401 with both challenges', async () => {
    for (const authorization of [
      undefined,
      'Bearer x',
      `Basic ${btoa('a:b')}`,
      `Basic ${key}`,
      `Digest ${key}`,
    ]) {
      for (const answer of await statuses(authorization)) {
        faultOf(answer, 401);
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm=.*, Basic realm=/);
      }
    }
  });

  test('a person and a sensor are 403', async () => {
    const credentials = [
      `Bearer ${service.token('admin')}`,
      `Basic ${btoa(`x:${service.token('admin')}`)}`,
      `Bearer ${await service.key({ sensor: true })}`,
    ];
    for (const authorization of credentials) {
      for (const answer of await statuses(authorization)) faultOf(answer, 403);
    }
  });

  test('a key needs no scope to read', async () => {
    const plain = await service.key({ scopes: ['usage:read'] });
    for (const answer of await statuses(`Bearer ${plain}`)) assert.equal(answer.status, 200);
  });

  test('are judged before the collection is looked for', async () => {
    const path = `${service.url}/taxii2/collections/no-such-collection/objects/`;
    faultOf(await send(path), 401);
    faultOf(await client.get('/taxii2/collections/no-such-collection/objects/'), 404);
  });
});

test('negotiation: every way to accept version 2.1, and none of the others', async () => {
  for (const accept of [
    TAXII_MEDIA_TYPE,
    'application/taxii+json; version=2.1',
    'application/taxii+json;version="2.1"',
    'APPLICATION/TAXII+JSON;VERSION=2.1',
    'application/taxii+json',
    'application/json;q=0.5, application/taxii+json;version=2.1;q=0.9',
    'application/*',
    '*/*',
  ]) {
    const answer = await client.get(OBJECTS, { accept });
    assert.equal(answer.status, 200, accept);
    assert.equal(answer.headers.get('content-type'), TAXII_MEDIA_TYPE);
  }
  for (const accept of [
    'application/taxii+json;version=2.0',
    'application/vnd.oasis.taxii+json; version=2.0',
    'application/json',
    'text/html',
    'application/taxii+json;version=2.1;q=0',
  ]) {
    for (const path of ['/taxii2/', OBJECTS]) faultOf(await client.get(path, { accept }), 406);
  }
});

test('gzip where it is asked for', async () => {
  const plain = await client.get(OBJECTS, { 'accept-encoding': 'identity' });
  const packed = await client.get(OBJECTS, { 'accept-encoding': 'gzip' });
  assert.equal(plain.headers.get('content-encoding'), null);
  assert.equal(packed.headers.get('content-encoding'), 'gzip');
  assert.equal(packed.text, plain.text);
});

test('every object keeps the rules of STIX, and refers to nothing that comes after it', async () => {
  const { items } = await client.objects({ 'match[version]': 'all' });
  const earlier = new Set<string>();
  const faults: string[] = [];
  for (const object of items) {
    faults.push(...stixFaults(object, earlier));
    earlier.add(object.id);
  }
  assert.deepEqual(faults, []);
  const types = new Set(items.map(({ type }) => type));
  for (const type of ['identity', 'extension-definition', 'marking-definition', 'indicator']) {
    assert.ok(types.has(type), `there is no ${type}`);
  }
  assert.ok(earlier.size > 30);
});

describe('what lies above the ceiling of a key is not in its feed', () => {
  const markingsIn = (objects: readonly StixObject[]) =>
    new Set(
      objects.flatMap(({ object_marking_refs }) => (object_marking_refs as string[] | undefined) ?? []),
    );

  for (const [index, tlpCeiling] of (['CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT'] as const).entries()) {
    test(tlpCeiling, async () => {
      const low = new TaxiiClient(() => service.url, await service.key({ tlpCeiling }));
      const all = await client.objects();
      const seen = await low.objects({ limit: 9 });
      const definitions = all.items.filter(({ type }) => type === 'marking-definition').map(({ id }) => id);
      const allowed = new Set(definitions.slice(0, index + 1));
      assert.deepEqual(markingsIn(seen.items), allowed);
      const expected = all.items.filter((object) => [...markingsIn([object])].every((id) => allowed.has(id)));
      assert.deepEqual(seen.items, expected);
      assert.deepEqual(idsOf((await low.manifest()).items), idsOf(expected));
    });
  }

  test('by id it is not there, and a cursor of a better key opens nothing more', async () => {
    const low = new TaxiiClient(() => service.url, await service.key({ tlpCeiling: 'GREEN' }));
    const value = '198.51.100.4';
    const [id] = await take([anEvent({ value, tlp: 'TLP_MARKING_AMBER' })]);
    const stixId = `indicator--${id}`;

    const unknown = `indicator--${id?.replace(/^.{8}/, '00000000')}`;
    for (const path of ['objects/ID', 'objects/ID/versions']) {
      for (const query of [{}, path === 'objects/ID' ? { 'match[version]': 'all' } : {}]) {
        const hidden = await low.list(path.replace('ID', stixId), query);
        const absent = await low.list(path.replace('ID', unknown), query);
        assert.equal(faultOf(hidden, 404), 'OBJECT_NOT_FOUND');
        assert.deepEqual(
          { ...hidden.json<object>(), error_id: '' },
          { ...absent.json<object>(), error_id: '' },
        );
      }
    }
    const { items } = await low.objects({ 'match[version]': 'all' });
    assert.equal(idsOf(items).includes(stixId), false);

    const { next = '' } = (await client.list('objects', { limit: 8 })).expect<Envelope>(200);
    const borrowed = (await low.list('objects', { next })).expect<Envelope>(200);
    assert.deepEqual(
      borrowed.objects?.filter(({ id }) => !idsOf(items).includes(id)),
      [],
    );
  });
});

describe('errors are TAXII errors', () => {
  test('malformed and repeated parameters', async () => {
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=x',
      'limit=1.5',
      'limit=1&limit=2',
      'added_after=yesterday',
      'added_after=2026-02-30T00:00:00Z',
      'added_after=2026-01-01T00:00:00Z&added_after=2026-01-01T00:00:00Z',
      'match[version]=all,last',
      'match[type]=',
      'match[spec_version]=x',
    ]) {
      assert.equal(faultOf(await client.get(`${OBJECTS}?${query}`), 400), 'INVALID_ARGUMENT', query);
    }
    assert.equal((await client.get(`${OBJECTS}?unknown=1&match[unknown]=2`)).status, 200);
  });

  test('what is not there, and what can not be written', async () => {
    const unknown = 'indicator--6f9619ff-8b86-4011-b42d-00c04fc964ff';
    assert.equal(faultOf(await client.list(`objects/${unknown}`), 404), 'OBJECT_NOT_FOUND');
    assert.deepEqual((await client.list('objects', { 'match[id]': unknown })).expect(200), { more: false });
    faultOf(await client.get('/taxii2/collections/x/'), 404);
    faultOf(await client.get('/taxii2/no-such-path/'), 404);
    const write = (path: string, method: string) => send(service.url + path, { method, credential: key });
    faultOf(await write(OBJECTS, 'POST'), 403);
    faultOf(await write(`${OBJECTS}${unknown}/`, 'DELETE'), 403);
    for (const method of ['PUT', 'DELETE']) {
      const refused = await write(OBJECTS, method);
      faultOf(refused, 405);
      assert.equal(refused.headers.get('allow'), 'GET, HEAD, POST', method);
    }
    const head = await send(service.url + OBJECTS, { method: 'HEAD', credential: key });
    assert.deepEqual([head.status, head.text], [200, '']);
  });
});
