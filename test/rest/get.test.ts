// GET /v1/indicators/{id}, :explain, :evidence and :related: the form of an indicator, what was seen of it, who may read
// it, and the 404 of unknown ids.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Answer } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo } from '../support/sensor-events.ts';
import type { RpcStatus } from '../support/wire.ts';

/** Well-formed ids without an indicator. */
const UNKNOWN = '6f9619ff-8b86-4011-b42d-00c04fc964ff';

let service: RunningService;
let reader: string;
/** An indicator marked GREEN, and one marked AMBER_STRICT. */
let green: string;
let hidden: string;

before(async () => {
  service = await RunningService.start();
  reader = await service.key();
  const sensor = service.as(await service.key({ name: 'Sensor 1', sensor: true, reliability: 0.6 }));
  const { results } = await sensor.ingest([
    anEvent({
      value: 'hxxp://192[.]0[.]2[.]1/A?b#c',
      indicatorType: 'INDICATOR_TYPE_URL',
      protocol: 'PROTOCOL_HTTP',
      sensorType: 'SENSOR_TYPE_NETWORK',
      categories: ['THREAT_CATEGORY_MALWARE', 'THREAT_CATEGORY_PHISHING'],
      severity: 'SEVERITY_MEDIUM',
      observedAt: daysAgo(0),
      count: '18446744073709551615',
      tags: ['b', 'a', 'b'],
      labels: [{ key: 'site', value: '' }],
      evidence: {},
    }),
    anEvent({ value: '192.0.2.2', tlp: 'TLP_MARKING_AMBER_STRICT' }),
  ]);
  green = results[0]!.indicatorId;
  hidden = results[1]!.indicatorId;
  await service.settled();
});
after(() => service.dispose());

function get(path: string, credential?: string): Promise<Answer> {
  return service.as(credential).send(`/v1/indicators/${path}`);
}

test('every member of the contract, in canonical form', async () => {
  const answer = await get(green, reader);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  const indicator = answer.expect<Record<string, unknown>>(200);
  const { id, confidenceScore, enrichment, validUntil, createdAt, updatedAt, sources, ...rest } = indicator;
  assert.equal(id, green);
  assert.ok(Number.isInteger(confidenceScore));
  assert.ok(Date.parse(String(createdAt)) <= Date.parse(String(updatedAt)));
  assert.ok(Date.parse(String(validUntil)) >= Date.parse(daysAgo(0)));
  assert.deepEqual(rest, {
    type: 'INDICATOR_TYPE_URL',
    value: 'http://192.0.2.1/A?b',
    categories: ['THREAT_CATEGORY_MALWARE', 'THREAT_CATEGORY_PHISHING'],
    severity: 'SEVERITY_MEDIUM',
    tlp: 'TLP_MARKING_GREEN',
    state: 'INDICATOR_STATE_ENRICHED',
    firstSeen: daysAgo(0),
    lastSeen: daysAgo(0),
    sightings: [
      {
        sourceId: (sources as { id: string }[])[0]!.id,
        observedAt: daysAgo(0),
        count: '18446744073709551615',
      },
    ],
    tags: ['a', 'b'],
    labels: [
      { key: 'site', value: '' },
      { key: 'verdict', value: 'suspicious' },
    ],
    protocol: 'PROTOCOL_HTTP',
    sensorType: 'SENSOR_TYPE_NETWORK',
  });
  assert.deepEqual(
    (sources as Record<string, unknown>[]).map(({ id: _, ...source }) => source),
    [{ name: 'Sensor 1', reliability: 0.6, reportedAt: daysAgo(0) }],
  );
  // Default values are written, unknown values are left out, and nothing is null.
  assert.deepEqual(Object.keys(enrichment as object), [
    'malwareFamilies',
    'attackTechniques',
    'aiSummary',
    'riskScore',
    'enrichedAt',
  ]);
  assert.doesNotMatch(answer.text, /null/);
});

test('one indicator reads the same by id and in a search', async () => {
  const searched = await service.as(reader).search({ query: '"192.0.2.1/a?b"' });
  assert.deepEqual(searched.indicators, [await service.as(reader).get(green)]);
});

test('what was seen, and what is linked, up to the ceiling of the reader', async () => {
  const sensor = service.as(await service.key({ sensor: true, tlpCeiling: 'AMBER_STRICT' }));
  const [url, address] = ['http://192.0.2.80/a.sh', '198.51.100.90'];
  const seen = { 'command.download': url, 'peer.address': address, 'vendor.key': '\u001b\u202e' };
  const events = [
    anEvent({ value: address, observedAt: daysAgo(0) }),
    anEvent({ value: url, observedAt: daysAgo(0), evidence: seen }),
    anEvent({ value: url, observedAt: daysAgo(0), evidence: seen, tlp: 'TLP_MARKING_AMBER_STRICT' }),
  ];
  const { results } = await sensor.ingest(events);
  const [addressId = '', urlId = ''] = results.map(({ indicatorId }) => indicatorId);
  await service.settled();
  for (const [tlpCeiling, count] of [
    ['GREEN', '1'],
    ['AMBER_STRICT', '2'],
  ] as const) {
    const key = await service.key({ tlpCeiling });
    const times = { count, firstSeen: daysAgo(0), lastSeen: daysAgo(0) };
    const { seen: kept, ...rest } = (await get(`${urlId}:evidence`, key)).expect<Record<string, unknown[]>>(
      200,
    );
    assert.deepEqual(rest, { indicatorId: urlId, droppedCount: '0' });
    assert.deepEqual(
      kept?.find((group) => (group as { key: string }).key === 'vendor.key'),
      { key: 'vendor.key', values: [{ value: '\u001b\u202e', ...times, truncated: false }] },
    );
    const related = (await get(`${addressId}:related?hops=2`, key)).expect<Record<string, unknown[]>>(200);
    assert.deepEqual(related.links, [{ kind: 'downloaded', sourceId: addressId, targetId: urlId, ...times }]);
    assert.deepEqual(
      related.indicators?.map((one) => {
        const { id, type, value, hops } = one as Record<string, unknown>;
        return { id, type, value, hops };
      }),
      [{ id: urlId, type: 'INDICATOR_TYPE_URL', value: url, hops: 1 }],
    );
  }
  assert.equal((await get(`${addressId}:related?hops=3`, reader)).status, 400);
  for (const question of ['evidence', 'related'])
    assert.equal((await get(`${UNKNOWN}:${question}`, reader)).status, 404);
});

describe('who may read', () => {
  const cases: readonly (readonly [
    who: string,
    credential: () => Promise<string> | string | undefined,
    number,
    number,
  ])[] = [
    ['nobody', () => undefined, 401, 401],
    ['a key of any scope reads, and explains with indicators:read', () => reader, 200, 200],
    ['a key without a read scope', () => service.key({ scopes: ['usage:read'] }), 200, 403],
    ['an administrator', () => service.key({ scopes: ['admin'] }), 200, 200],
    ['a sensor key reads nothing', () => service.key({ sensor: true }), 403, 403],
    ['a person', () => service.token('indicators:read'), 200, 200],
    ['a person without a scope', () => service.token(''), 200, 403],
  ];
  for (const [who, credential, read, explained] of cases) {
    test(who, async () => {
      const token = await credential();
      assert.equal((await get(green, token)).status, read);
      assert.equal((await get(`${green}:explain`, token)).status, explained);
      assert.equal((await get(`${green}:evidence`, token)).status, explained);
      assert.equal((await get(`${green}:related`, token)).status, explained);
    });
  }

  test('permission is judged before existence', async () => {
    const sensor = await service.key({ sensor: true });
    assert.equal((await get(UNKNOWN, sensor)).status, 403);
    assert.equal((await get(UNKNOWN)).status, 401);
  });
});

describe('what is not there', () => {
  for (const id of [
    UNKNOWN,
    UNKNOWN.toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    'x',
    'search',
    "' or 1=1 --",
    '%00',
    '..%2f..%2fetc',
    '\u00e9',
    'x'.repeat(8_000),
  ]) {
    test(`no indicator ${id.slice(0, 40)}`, async () => {
      for (const path of [id, `${id}:explain`]) {
        const { code, details } = (await get(encodeURI(path), reader)).expect<RpcStatus>(404);
        assert.equal(code, 5);
        assert.equal(details[0]?.reason, 'INDICATOR_NOT_FOUND');
      }
    });
  }

  test('above the ceiling of the caller an indicator answers byte for byte like one that never was', async () => {
    const low = await service.key({ tlpCeiling: 'AMBER' });
    const person = service.token('indicators:read indicators:verify', { tlp_ceiling: 'AMBER' });
    assert.equal((await get(hidden, reader)).status, 200);
    const requests = [
      (id: string) => get(id, low),
      (id: string) => get(`${id}:explain`, low),
      (id: string) => get(id, person),
      (id: string) => service.as(person).send(`/v1/indicators/${id}:verify`, { method: 'POST' }),
    ];
    for (const request of requests) {
      const [ofHidden, ofUnknown] = [await request(hidden), await request(UNKNOWN)];
      assert.equal(ofHidden.status, 404);
      assert.equal(ofHidden.text.replaceAll(hidden, UNKNOWN), ofUnknown.text);
      assert.deepEqual(constantHeaders(ofHidden), constantHeaders(ofUnknown));
    }
    assert.equal((await service.as(reader).get(hidden)).state, 'INDICATOR_STATE_ENRICHED');
  });
});

/** Without the headers that differ between any two answers. */
function constantHeaders({ headers }: Answer): readonly (readonly [string, string])[] {
  const changing = new Set(['date', 'x-request-id', 'ratelimit']);
  return [...headers].filter(([name]) => !changing.has(name));
}
