// STIX from partners: accepted objects go through the pipeline into the feed, refused ones get a reason.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { DAY } from '../../src/domain/instant.ts';
import { tis } from '../support/command-line.ts';
import { type Answer, type RestClient, send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { TAXII_MEDIA_TYPE, TaxiiClient } from '../support/taxii-client.ts';
import type { TaxiiFault, WireIndicator } from '../support/wire.ts';

const REPORTS = '/taxii2/collections/d1f3a8c2-5b07-4e96-a4cd-2f8e60b917d3';
const RED = 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1';

interface Detail {
  readonly id: string;
  readonly version: string;
  readonly message?: string;
}

interface Status {
  readonly id: string;
  readonly status: string;
  readonly request_timestamp: string;
  readonly total_count: number;
  readonly success_count: number;
  readonly successes?: readonly Detail[];
  readonly failure_count: number;
  readonly failures?: readonly Detail[];
  readonly pending_count: number;
}

let service: RunningService;
let key: string;
let search: RestClient;

before(async () => {
  service = await RunningService.start();
  key = await service.key({ name: 'partner', scopes: ['feed:write', 'indicators:read'] });
  search = service.as(key);
});
after(() => service.dispose());

function post(body: unknown, headers: Record<string, string> = {}, credential = key): Promise<Answer> {
  return send(`${service.url}${REPORTS}/objects/`, {
    method: 'POST',
    credential,
    body,
    headers: { accept: TAXII_MEDIA_TYPE, 'content-type': TAXII_MEDIA_TYPE, ...headers },
  });
}

async function submit(...objects: readonly object[]): Promise<Status> {
  const status = (await post({ objects })).expect<Status>(202);
  assert.equal(status.status, 'complete');
  assert.match(status.request_timestamp, /\.\d{6}Z$/);
  assert.equal(status.success_count + status.failure_count + status.pending_count, status.total_count);
  assert.equal(status.successes?.length ?? 0, status.success_count);
  assert.equal(status.failures?.length ?? 0, status.failure_count);
  await service.settled();
  return status;
}

async function find(value: string): Promise<WireIndicator> {
  const found = await search.find(value);
  assert.ok(found, `${value} is not found`);
  return found;
}

function anIndicator(
  pattern: string,
  members: object = {},
): { readonly id: string; readonly modified: string } {
  const now = new Date().toISOString();
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--${randomUUID()}`,
    created: now,
    modified: now,
    pattern,
    pattern_type: 'stix',
    valid_from: now,
    ...members,
  } as { id: string; modified: string };
}

test('an indicator is found by search, with the partner as its source, and in the feed', async () => {
  const sent = anIndicator("[domain-name:value = 'partner.example' OR ipv4-addr:value = '203.0.113.40']", {
    labels: ['shared'],
  });
  const status = await submit(sent);
  assert.deepEqual(status.successes, [{ id: sent.id, version: sent.modified }]);
  for (const value of ['partner.example', '203.0.113.40']) {
    const found = await find(value);
    assert.deepEqual(
      [found.sources[0]?.name, found.tags, found.tlp],
      ['partner', ['shared'], 'TLP_MARKING_GREEN'],
    );
    const feed = new TaxiiClient(() => service.url, key);
    assert.equal((await feed.list(`objects/indicator--${found.id}`)).status, 200);
  }
});

test('what two keys of one account send under the same id are two reports', async () => {
  const other = await service.key({ name: 'other partner', scopes: ['feed:write'] });
  const sent = anIndicator("[ipv4-addr:value = '203.0.113.41']");
  const elsewhere = { ...sent, pattern: "[ipv4-addr:value = '203.0.113.42']" };
  await submit(sent);
  for (const object of [sent, elsewhere])
    assert.equal((await post({ objects: [object] }, {}, other)).expect<Status>(202).success_count, 1);
  await service.settled();
  const names = async (value: string) => (await find(value)).sources.map(({ name }) => name).sort();
  assert.deepEqual(await names('203.0.113.41'), ['other partner', 'partner']);
  assert.deepEqual(await names('203.0.113.42'), ['other partner']);
});

test('sightings count, of what was sent along and of what we published, each once', async () => {
  const sent = anIndicator("[url:value = 'http://partner.example/x']");
  const now = new Date().toISOString();
  const sighting = (of: string) => ({
    type: 'sighting',
    spec_version: '2.1',
    id: `sighting--${randomUUID()}`,
    created: now,
    modified: now,
    last_seen: now,
    count: 5,
    sighting_of_ref: of,
  });
  const first = sighting(sent.id);
  await submit(first, sent);
  const found = await find('http://partner.example/x');
  const counted = async () =>
    (await search.get(found.id)).sightings.reduce((sum, { count }) => sum + Number(count), 0);
  assert.equal(await counted(), 6);
  const repeated = await submit(first, sent);
  assert.deepEqual([repeated.success_count, await counted()], [2, 6]);
  await submit(sighting(`indicator--${found.id}`));
  assert.equal(await counted(), 11);
});

test('an unmarked sighting shows a restricted indicator to nobody else', async () => {
  const value = '203.0.113.145';
  const insider = await service.key({ name: 'insider', scopes: ['feed:write'], tlpCeiling: 'RED' });
  const red = { object_marking_refs: [RED] };
  await post({ objects: [anIndicator(`[ipv4-addr:value = '${value}']`, red)] }, {}, insider);
  await service.settled();
  const reader = await service.key({ name: 'red reader', scopes: ['indicators:read'], tlpCeiling: 'RED' });
  const found = await service.as(reader).find(value);
  const now = new Date().toISOString();
  const sighting = {
    type: 'sighting',
    spec_version: '2.1',
    id: `sighting--${randomUUID()}`,
    created: now,
    modified: now,
    sighting_of_ref: `indicator--${found?.id}`,
  };
  const status = (await post({ objects: [sighting] }, {}, insider)).expect<Status>(202);
  assert.equal(status.success_count, 1);
  await service.settled();
  assert.equal(await search.find(value), undefined);
});

test('what cannot be taken fails alone, with a reason', async () => {
  const good = anIndicator("[ipv4-addr:value = '203.0.113.41']");
  const bad = [
    anIndicator("[ipv4-addr:value = '192.168.0.1']"),
    anIndicator("[ipv4-addr:value ISSUBSET '8.0.0.0/7']"),
    anIndicator("[domain-name:value = 'co.uk']"),
    anIndicator("[ipv4-addr:value = '203.0.113.42' AND ipv4-addr:value = '203.0.113.43']"),
    anIndicator("[ipv4-addr:value = '203.0.113.44']", {
      object_marking_refs: ['marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1'],
    }),
    { type: 'malware', id: `malware--${randomUUID()}`, created: good.modified, modified: good.modified },
  ];
  const status = await submit(good, ...bad);
  assert.deepEqual(
    status.successes?.map(({ id }) => id),
    [good.id],
  );
  assert.deepEqual(
    status.failures?.map(({ id }) => id),
    bad.map(({ id }) => id),
  );
  const reasons = [
    /PRIVATE_ADDRESS/,
    /RANGE_TOO_WIDE/,
    /PUBLIC_SUFFIX/,
    /OR/,
    /TLP_ABOVE_CEILING/,
    /only indicators/,
  ];
  for (const [index, reason] of reasons.entries())
    assert.match(status.failures?.[index]?.message ?? '', reason);
  const { indicators } = await search.search({ query: '"203.0.113.44"' });
  assert.deepEqual(indicators, []);
});

test('an address as MISP writes it, the end of a connection, is found by search', async () => {
  const end = (member: string, value: string) => `network-traffic:dst_ref.${member} = '${value}'`;
  await submit(anIndicator(`[${end('type', 'ipv4-addr')} AND ${end('value', '203.0.113.78')}]`));
  assert.equal((await find('203.0.113.78')).type, 'INDICATOR_TYPE_IPV4');
});

test('a marking that cannot be read is no reason to publish without one', async () => {
  const red = 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1';
  const shapes = [red, [[red]], { red }, [{ id: red }], 5, null];
  const { failures = [] } = await submit(
    ...shapes.map((object_marking_refs) =>
      anIndicator("[ipv4-addr:value = '203.0.113.45']", { object_marking_refs }),
    ),
  );
  assert.deepEqual(
    failures.map(({ message }) => message),
    shapes.map(() => 'object_marking_refs is not a list of strings'),
  );
  assert.equal(await search.find('203.0.113.45'), undefined);
});

test('a year that no client can read does not come into the feed', async () => {
  const zero = '0000-01-01T00:00:00Z';
  const { failures = [] } = await submit(
    anIndicator("[ipv4-addr:value = '203.0.113.46']", { created: zero, modified: zero, valid_from: zero }),
  );
  assert.match(failures[0]?.message ?? '', /created lies before 1970/);
  assert.equal(await search.find('203.0.113.46'), undefined);
});

test('a report of a time before 1990 comes from a clock that was never set', async () => {
  const old = '1980-01-01T00:00:00.000Z';
  const times = { created: old, modified: old, valid_from: old };
  const { failures = [] } = await submit(anIndicator("[domain-name:value = 'unset.example']", times));
  assert.equal(failures[0]?.message, 'refused: OBSERVED_BEFORE_1990');
});

test('versions count that differ in microseconds, or in what they say; the same one again does not', async () => {
  const value = '203.0.113.47';
  const first = anIndicator(`[ipv4-addr:value = '${value}']`, {
    created: '2026-03-01T12:00:00.000000Z',
    modified: '2026-03-01T12:00:00.000001Z',
  });
  const counted = async () =>
    (await search.get((await find(value)).id)).sightings.reduce((sum, { count }) => sum + Number(count), 0);
  const { successes = [] } = await submit(first, { ...first, modified: '2026-03-01T12:00:00.000002Z' });
  assert.deepEqual([successes.map(({ message }) => message), await counted()], [[undefined, undefined], 2]);

  const again = await submit(first);
  assert.match(again.successes?.[0]?.message ?? '', /before/);
  assert.equal(await counted(), 2);

  const pattern = `[ipv4-addr:value IN ('${value}', '203.0.113.48')]`;
  const partly = await submit({ ...first, pattern });
  assert.match(partly.successes?.[0]?.message ?? '', /^1 of 2 values had been reported before/);
  await find('203.0.113.48');

  const amber = 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421';
  const stricter = await submit({ ...first, object_marking_refs: [amber] });
  assert.equal(stricter.successes?.[0]?.message, undefined);
  assert.equal((await find(value)).tlp, 'TLP_MARKING_AMBER');
  const refused = await submit({ ...first, pattern: `[ipv4-addr:value IN ('10.0.0.1', '203.0.113.49')]` });
  assert.match(refused.failures?.[0]?.message ?? '', /PRIVATE_ADDRESS, 1 of 2 values; the others are taken/);
  await find('203.0.113.49');
});

test('what does not hold any more, or not yet, is not published as if it did now', async () => {
  const at = (distance: number) => new Date(Date.now() + distance).toISOString();
  const [modified, until] = [at(-2 * DAY), at(-500 * DAY)];
  const old = { created: at(-900 * DAY), modified, valid_from: at(-900 * DAY) };
  const reports = [
    anIndicator("[ipv4-addr:value = '203.0.113.51']", { ...old, valid_until: until }),
    anIndicator("[ipv4-addr:value = '203.0.113.52']", { valid_from: at(2 * DAY) }),
    anIndicator("[ipv4-addr:value = '203.0.113.53']", { ...old, valid_until: at(DAY) }),
  ];
  const { failures = [], success_count } = await submit(...reports);
  assert.deepEqual(
    [success_count, ...failures.map(({ message }) => message)],
    [2, 'valid_from lies more than 24 hours in the future'],
  );
  const [ended, holds] = [await find('203.0.113.51'), await find('203.0.113.53')];
  assert.deepEqual([ended.lastSeen, holds.lastSeen].map(Date.parse), [until, modified].map(Date.parse));
});

test('what labels and types name is published as such', async () => {
  const pattern = "[ipv4-addr:value = '203.0.113.54']";
  await submit(
    anIndicator(pattern, { labels: ['C2'], indicator_types: ['malicious-activity', 'anonymization'] }),
  );
  const found = await find('203.0.113.54');
  assert.deepEqual(found.categories, ['THREAT_CATEGORY_COMMAND_AND_CONTROL', 'THREAT_CATEGORY_PROXY']);
  const [object] = (
    await new TaxiiClient(() => service.url, key).objects({ 'match[id]': `indicator--${found.id}` })
  ).items;
  // One partner alone makes nothing malicious.
  assert.deepEqual(object?.indicator_types, ['anomalous-activity', 'anonymization']);
});

test('what the operator withdrew is taken, and said not to be published', async () => {
  const values = ['203.0.113.55', '203.0.113.56'];
  const report = (value: string | undefined, members = {}) =>
    anIndicator(`[ipv4-addr:value = '${value}']`, members);
  await submit(report(values[0]));
  const { id } = await find('203.0.113.55');
  const { code } = await tis(['indicators', 'revoke', id, '--note', 'ours', '--data-dir', service.dataDir]);
  assert.equal(code, 0);
  const pattern = `[ipv4-addr:value IN ('${values.join("', '")}')]`;
  const { successes = [] } = await submit(report(values[0]), anIndicator(pattern), report(values[1]));
  assert.deepEqual(
    successes.map(({ message }) => message),
    [
      'withdrawn by the operator: kept, not published',
      '1 of 2 values withdrawn by the operator: kept, not published',
      undefined,
    ],
  );
  // A report above the ceiling of a partner changes nothing of what the partner is told.
  const red = { object_marking_refs: [RED] };
  const insider = await service.key({ scopes: ['feed:write'], tlpCeiling: 'RED' });
  await post({ objects: [report(values[0], red)] }, {}, insider);
  const outside = await submit(report(values[0]));
  const [told] = outside.successes ?? [];
  assert.deepEqual(
    [outside.success_count, told?.message],
    [1, 'withdrawn by the operator: kept, not published'],
  );
});

test('what has no id or version is named by its place and the time of the request', async () => {
  const long = `indicator--${'x'.repeat(100_000)}`;
  const sent = [{}, { id: 5, modified: [] }, { type: 'indicator', id: long, modified: long }];
  const { failures = [], request_timestamp } = await submit(...sent);
  assert.deepEqual(
    failures.map(({ id, version }) => [id, version]),
    ['objects[0]', 'objects[1]', long.slice(0, 288)].map((id) => [id, request_timestamp]),
  );
});

test('a large envelope is taken in whole', async () => {
  const objects = Array.from({ length: 2_500 }, (_, index) =>
    anIndicator(`[domain-name:value = 'h${index}.partner.example']`),
  );
  const { success_count } = (await post({ objects })).expect<Status>(202);
  assert.equal(success_count, 2_500);
});

describe('the status of a submission', () => {
  test('is answered again in full, however many objects it names', async () => {
    const named = { id: 'indicator--1', modified: '2026-03-01T12:00:00Z' };
    const objects = Array.from({ length: 3_000 }, (_, index) => (index % 3 === 2 ? named : {}));
    const status = (await post({ objects })).expect<Status>(202);
    const again = await send(`${service.url}/taxii2/status/${status.id}/`, {
      credential: key,
      headers: { accept: TAXII_MEDIA_TYPE },
    });
    assert.deepEqual(again.expect(200), status);
    assert.deepEqual(
      status.failures?.slice(-2).map(({ id }) => id),
      ['objects[2998]', 'indicator--1'],
    );
  });

  test('can be asked for again, over a restart, by the account that submitted', async () => {
    const status = await submit(anIndicator("[ipv4-addr:value = '203.0.113.50']"));
    const path = `/taxii2/status/${status.id}/`;
    const ask = (credential: string) =>
      send(service.url + path, { credential, headers: { accept: TAXII_MEDIA_TYPE } });
    assert.deepEqual((await ask(key)).expect(200), status);
    await service.restart();
    search = service.as(key);
    const colleague = await service.key({ scopes: ['usage:read'] });
    assert.deepEqual((await ask(colleague)).expect(200), status);
    assert.equal((await ask(await service.key({ account: 'other', scopes: ['feed:write'] }))).status, 404);
    assert.equal((await send(service.url + path)).status, 401);
  });
});

describe('refused as a whole', () => {
  const faultOf = (answer: Answer, status: number): TaxiiFault => {
    assert.equal(answer.headers.get('content-type'), TAXII_MEDIA_TYPE);
    const fault = answer.expect<TaxiiFault>(status);
    assert.equal(fault.http_status, String(status));
    return fault;
  };

  test('a bundle, a member given twice, a content coding: each is told what it is', async () => {
    const bundle = faultOf(await post({ type: 'bundle', id: 'bundle--1', objects: [{}] }), 422);
    assert.equal(bundle.error_code, 'NOT_AN_ENVELOPE');
    assert.match(bundle.description, /is a STIX bundle: TAXII 2\.1 §3\.7 wants an envelope/);
    const twice = faultOf(await post('{"objects":[{"revoked":true,"revoked":false}]}'), 400);
    assert.match(twice.description, /objects\[0\]\.revoked: is given more than once/);

    const envelope = { objects: [anIndicator("[ipv4-addr:value = '203.0.113.61']")] };
    const coded = await post(envelope, { 'content-encoding': 'gzip' });
    assert.equal(faultOf(coded, 415).error_code, 'UNSUPPORTED_CONTENT_ENCODING');
    assert.equal(coded.headers.get('accept-encoding'), 'identity');
    assert.equal((await post(envelope, { 'content-encoding': 'identity' })).status, 202);
  });

  test('more than 20,000 objects, or more bytes than the API root takes', async () => {
    const many = (count: number) => `{"objects":[${'{},'.repeat(count - 1)}{}]}`;
    for (const count of [20_001, 2_790_000]) {
      const fault = faultOf(await post(many(count)), 422);
      assert.equal(fault.error_code, 'TOO_MANY_OBJECTS');
      assert.match(fault.description, /at most 20000 objects/);
    }
    assert.equal((await post(many(20_000))).expect<Status>(202).failure_count, 20_000);
    const fault = faultOf(await post({ objects: [{ x: 'x'.repeat(8 * 1024 * 1024) }] }), 413);
    assert.equal(fault.error_code, 'BODY_TOO_LARGE');
    assert.match(fault.description, /more than 8388608 bytes/);
  });

  test('a body that is not JSON, not an envelope, of another type', async () => {
    faultOf(await post('{'), 400);
    faultOf(await post(''), 400);
    for (const body of [{}, [], { objects: [] }, { objects: 5 }, { objects: [null] }, 'null', '5']) {
      faultOf(await post(body), 422);
    }
    const envelope = { objects: [anIndicator("[ipv4-addr:value = '203.0.113.60']")] };
    for (const type of ['application/json', 'text/plain', 'application/taxii+json;version=2.0', 'nonsense']) {
      faultOf(await post(envelope, { 'content-type': type }), 415);
    }
    faultOf(await post(envelope, { accept: 'text/html' }), 406);
    for (const type of ['application/taxii+json', 'Application/TAXII+json; version="2.1"']) {
      assert.equal((await post(envelope, { 'content-type': type })).status, 202);
    }
  });

  test('the collection is there for who may write to it, and is not read', async () => {
    const other = await service.key();
    const get = (path: string, credential: string) =>
      send(service.url + path, { credential, headers: { accept: TAXII_MEDIA_TYPE } });
    const listed = async (credential: string) =>
      (await get('/taxii2/collections/', credential))
        .expect<{ collections: { id: string; can_read: boolean; can_write: boolean }[] }>(200)
        .collections.find(({ id }) => REPORTS.endsWith(id));
    assert.equal(await listed(other), undefined);
    const mine = await listed(key);
    assert.deepEqual([mine?.can_read, mine?.can_write], [false, true]);
    faultOf(await post({ objects: [{}] }, {}, other), 404);
    for (const listing of ['objects/', 'manifest/', `objects/indicator--${randomUUID()}/`]) {
      faultOf(await get(`${REPORTS}/${listing}`, key), 403);
      faultOf(await get(`${REPORTS}/${listing}`, other), 404);
    }
    const remove = (credential: string) =>
      send(`${service.url}${REPORTS}/objects/indicator--${randomUUID()}/`, { method: 'DELETE', credential });
    faultOf(await remove(key), 403);
    faultOf(await remove(other), 404);
    assert.equal((await get(`${REPORTS}/`, key)).status, 200);
    assert.equal((await get(`${REPORTS}/`, other)).status, 404);
  });
});
