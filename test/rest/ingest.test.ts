// POST /v1/sensorEvents:ingest: who may send, which events are accepted, and which are refused with which reason.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Answer, RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo, events } from '../support/sensor-events.ts';
import type { IngestReply, RpcStatus, WireEvent } from '../support/wire.ts';

const INGEST = '/v1/sensorEvents:ingest';
const MIB = 1_048_576;

let service: RunningService;
let sensor: RestClient;
let reader: RestClient;

before(async () => {
  service = await RunningService.start();
  sensor = service.as(await service.key({ name: 'sensor', sensor: true, reliability: 0.6 }));
  reader = service.as(await service.key());
});
after(() => service.dispose());

function post(body: unknown, client = sensor): Promise<Answer> {
  return client.send(INGEST, { method: 'POST', body });
}

async function isKnown(value: string): Promise<boolean> {
  return (await reader.find(value)) !== undefined;
}

describe('who may send', () => {
  for (const [who, credential, status] of [
    ['nobody', () => undefined, 401],
    ['a sensor key', () => service.key({ sensor: true }), 200],
    ['a key with events:write', () => service.key({ scopes: ['events:write'] }), 200],
    ['an administrator', () => service.key({ scopes: ['admin'] }), 200],
    ['a key that only reads', () => service.key(), 403],
    ['a person with events:write', () => service.token('events:write'), 200],
    ['a person without it', () => service.token('indicators:read'), 403],
  ] as const) {
    test(who, async () => {
      const event = anEvent();
      const answer = await post({ events: [event] }, service.as(await credential()));
      assert.equal(answer.status, status, answer.text);
      assert.equal(await isKnown(event.value), status === 200);
    });
  }
});

test('every type of observable is recognised, defanged or not, and kept in canonical form', async () => {
  const sha1 = 'DA39A3EE5E6B4B0D3255BFEF95601890AFD80709';
  const cases = [
    ['198[.]51[.]100[.]7', 'IPV4', '198.51.100.7'],
    ['2001:DB8:0:0::1', 'IPV6', '2001:db8::1'],
    ['::ffff:198.51.100.8', 'IPV4', '198.51.100.8'],
    ['Evil[.]EXAMPLE.', 'DOMAIN', 'evil.example'],
    ['b\u00fccher.example', 'DOMAIN', 'xn--bcher-kva.example'],
    ['hxxps://Evil.example:443/a#b', 'URL', 'https://evil.example/a'],
    ['D41D8CD98F00B204E9800998ECF8427E', 'FILE_HASH_MD5', 'd41d8cd98f00b204e9800998ecf8427e'],
    [sha1, 'FILE_HASH_SHA1', sha1.toLowerCase()],
    ['a'.repeat(64), 'FILE_HASH_SHA256', 'a'.repeat(64)],
    ['Bob[@]Evil.example', 'EMAIL', 'Bob@evil.example'],
    ['198.51.100.99/24', 'CIDR', '198.51.100.0/24'],
    ['E7D705A3286E19EA42F587B344EE6865', 'JA3', 'e7d705a3286e19ea42f587b344ee6865'],
    [sha1.replace(/..(?!$)/g, '$&:'), 'SSL_CERT_FINGERPRINT', sha1.toLowerCase()],
  ] as const;
  // 32 digits may be an MD5 or a JA3, and 40 digits a SHA-1 or a fingerprint without colons.
  const named = new Set(['JA3', 'SSL_CERT_FINGERPRINT']);
  const { results } = await sensor.ingest(
    cases.map(([value, type]) =>
      anEvent({ value, ...(named.has(type) ? { indicatorType: `INDICATOR_TYPE_${type}` } : {}) }),
    ),
  );
  for (const [index, [given, type, canonical]] of cases.entries()) {
    const result = results[index]!;
    assert.equal(result.status, 'ACCEPTED', `${given}: ${result.reason}`);
    const indicator = await reader.get(result.indicatorId);
    assert.deepEqual([indicator.type, indicator.value], [`INDICATOR_TYPE_${type}`, canonical]);
  }
});

test('what can be no indicator is refused with its reason, and its neighbours are taken', async () => {
  const refusals = [
    ['10.0.0.1', 'PRIVATE_ADDRESS'],
    ['192.168.7.0/24', 'PRIVATE_ADDRESS'],
    ['fd00::1', 'PRIVATE_ADDRESS'],
    ['127.0.0.1', 'LOOPBACK_ADDRESS'],
    ['169.254.1.1', 'LINK_LOCAL_ADDRESS'],
    ['224.0.0.5', 'MULTICAST_ADDRESS'],
    ['0.0.0.0', 'UNSPECIFIED_ADDRESS'],
    ['http://[::1]/', 'LOOPBACK_ADDRESS'],
    ['plc.local', 'LOCAL_NAME'],
    ['8.0.0.0/7', 'RANGE_TOO_WIDE'],
    ['2001:c00::/31', 'RANGE_TOO_WIDE'],
    ['co.uk', 'PUBLIC_SUFFIX'],
    ['duckdns[.]org', 'PUBLIC_SUFFIX'],
    ['no observable at all', 'UNRECOGNISED_VALUE'],
    ['\u0000\u001b[2J', 'UNRECOGNISED_VALUE'],
  ] as const;
  const batch = refusals.flatMap(([value]) => [anEvent({ value }), anEvent()]);
  const reply = await sensor.ingest(batch);
  assert.deepEqual(
    reply.results.map(({ eventId }) => eventId),
    batch.map(({ eventId }) => eventId),
  );
  assert.deepEqual(
    reply.results
      .filter((_, index) => index % 2 === 0)
      .map(({ status, reason, indicatorId }) => [status, reason, indicatorId]),
    refusals.map(([, reason]) => ['REFUSED', reason, '']),
  );
  assert.deepEqual([reply.acceptedCount, reply.refusedCount], [refusals.length, refusals.length]);
});

test('other reasons to refuse one event: its type, its time, its marking', async () => {
  const { results } = await sensor.ingest([
    anEvent({ value: 'evil.example', indicatorType: 'INDICATOR_TYPE_IPV4' }),
    anEvent({ value: 'abc', indicatorType: 'INDICATOR_TYPE_FILE_HASH_MD5' }),
    anEvent({ observedAt: new Date(Date.now() + 25 * 3_600_000).toISOString() }),
    anEvent({ tlp: 'TLP_MARKING_RED' }),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['REFUSED', 'REFUSED', 'REFUSED', 'REFUSED'],
  );
  assert.deepEqual(
    results.slice(2).map(({ reason }) => reason),
    ['OBSERVED_IN_FUTURE', 'TLP_ABOVE_CEILING'],
  );
});

test('a time before 1990 comes from a clock that was never set: that event alone is refused', async () => {
  const value = '198.51.100.90';
  const at = (observedAt: string) => anEvent({ value, observedAt });
  const { results } = await sensor.ingest([
    at('1970-01-01T00:00:00Z'),
    at('0001-01-01T00:00:00Z'),
    at('1980-01-06T00:00:00Z'),
    at('1989-12-31T23:59:59.999Z'),
    at('1990-01-01T00:59:59+01:00'),
    at('1990-01-01T00:00:00Z'),
    at(daysAgo(0)),
  ]);
  assert.deepEqual(
    results.map(({ status, reason }) => (status === 'REFUSED' ? reason : status)),
    [...Array<string>(5).fill('OBSERVED_BEFORE_1990'), 'ACCEPTED', 'ACCEPTED'],
  );
  await service.settled();
  assert.equal((await reader.find(value))?.firstSeen, '1990-01-01T00:00:00Z');
});

describe('repeats', () => {
  test('an event counts once, in one batch, over batches and under either spelling', async () => {
    const event = anEvent();
    const first = await sensor.ingest([event, event]);
    assert.deepEqual(
      first.results.map(({ status }) => status),
      ['ACCEPTED', 'DUPLICATE'],
    );
    assert.equal(first.results[0]?.indicatorId, first.results[1]?.indicatorId);
    const spelled = {
      event_id: event.eventId,
      sensor_id: event.sensorId,
      value: event.value,
      observed_at: event.observedAt,
    };
    const again = (await post({ events: [spelled] })).expect<IngestReply>(200);
    assert.deepEqual([again.acceptedCount, again.duplicateCount], [0, 1]);
    await service.settled();
    const { sightings } = await reader.get(first.results[0]!.indicatorId);
    assert.deepEqual(
      sightings.map(({ count }) => count),
      ['1'],
    );
  });

  test('an event id is unique per sensor: another sensor may use the same', async () => {
    const event = anEvent();
    const reply = await sensor.ingest([event, { ...event, sensorId: 'plant-8' }]);
    assert.equal(reply.acceptedCount, 2);
  });

  test('a key that names the sensor of another key uses up none of its event ids', async () => {
    const other = service.as(await service.key({ name: 'other', sensor: true }));
    const ids = Array.from({ length: 100 }, (_, number) => String(number));
    const named = (members: Partial<WireEvent> = {}) =>
      ids.map((eventId) => anEvent({ eventId, sensorId: 'plant-7', ...members }));
    assert.equal((await other.ingest(named({ value: '198.51.100.66' }))).acceptedCount, 100);
    const real = named();
    const reply = await sensor.ingest(real);
    assert.deepEqual([reply.acceptedCount, reply.duplicateCount], [100, 0]);
    assert.equal((await reader.get(reply.results[99]!.indicatorId)).value, real[99]!.value);
    // A retry of either is still a duplicate.
    assert.equal((await sensor.ingest(real)).duplicateCount, 100);
    assert.equal((await other.ingest(named({ value: '198.51.100.66' }))).duplicateCount, 100);
  });

  test('a refused event is not remembered: once it can be taken, it is', async () => {
    const event = anEvent({ tlp: 'TLP_MARKING_RED' });
    assert.equal((await sensor.ingest([event])).results[0]?.status, 'REFUSED');
    assert.equal((await sensor.ingest([{ ...event, tlp: 'TLP_MARKING_GREEN' }])).acceptedCount, 1);
  });

  test('the same events sent by several at once are taken once', async () => {
    const batch = events(50);
    const replies = await Promise.all(Array.from({ length: 6 }, () => sensor.ingest(batch)));
    const accepted = replies.reduce((sum, { acceptedCount }) => sum + acceptedCount, 0);
    const duplicates = replies.reduce((sum, { duplicateCount }) => sum + duplicateCount, 0);
    assert.deepEqual([accepted, duplicates], [50, 250]);
  });
});

test('observations of one value become one indicator', async () => {
  const value = '198.51.100.200';
  const { results } = await sensor.ingest([
    anEvent({
      value,
      count: 3,
      tags: ['one'],
      severity: 'SEVERITY_LOW',
      evidence: {},
      protocol: 'PROTOCOL_SSH',
    }),
    anEvent({ value, count: '4', tags: ['two'], tlp: 'TLP_MARKING_AMBER' }),
    anEvent({ value, count: 0, observedAt: daysAgo(1), source: { id: 'partner', reliability: 1 } }),
  ]);
  assert.equal(new Set(results.map(({ indicatorId }) => indicatorId)).size, 1);
  await service.settled();
  const indicator = await reader.get(results[0]!.indicatorId);
  assert.deepEqual(indicator.tags, ['one', 'two']);
  assert.equal(indicator.severity, 'SEVERITY_HIGH');
  assert.equal(indicator.protocol, 'PROTOCOL_MODBUS');
  assert.equal(indicator.tlp, 'TLP_MARKING_AMBER');
  assert.deepEqual(
    indicator.sightings.map(({ count }) => count),
    ['7', '1'],
  );
  // The reliability of a source is at most that of its credential.
  assert.deepEqual(
    indicator.sources.map(({ reliability }) => reliability),
    [0.6, 0.6],
  );
});

describe('a malformed batch is refused as a whole', () => {
  const { observedAt: _, ...timeless } = anEvent();
  const cases: readonly (readonly [body: unknown, field: string])[] = [
    [{}, 'events'],
    [{ events: [] }, 'events'],
    [{ events: null }, 'events'],
    [{ events: [null] }, 'events[0]'],
    [{ events: [timeless] }, 'events[0].observedAt'],
    [{ events: [anEvent({ value: '' })] }, 'events[0].value'],
    [{ events: [anEvent({ eventId: 'x'.repeat(129) })] }, 'events[0].eventId'],
    [{ events: [anEvent(), anEvent({ count: '-1' })] }, 'events[1].count'],
    [{ events: [anEvent({ protocol: 'MODBUS!' })] }, 'events[0].protocol'],
    [{ events: [anEvent({ observedAt: '2026-02-30T00:00:00Z' })] }, 'events[0].observedAt'],
    [{ events: [anEvent({ source: { id: 'a', reliability: 1.1 } })] }, 'events[0].source.reliability'],
    [{ events: [anEvent({ tags: Array(51).fill('t') })] }, 'events[0].tags'],
    [{ events: [anEvent({ evidence: { a: 'x'.repeat(1_025) } })] }, 'events[0].evidence["a"]'],
    [{ events: [anEvent({ labels: [{ key: '', value: '' }] })] }, 'events[0].labels[0].key'],
    [{ events: [anEvent()], requestId: '\n' }, 'requestId'],
  ];
  for (const [body, field] of cases) {
    test(field, async () => {
      const { code, details } = (await post(body)).expect<RpcStatus>(400);
      assert.equal(code, 3);
      assert.equal(details[1]?.fieldViolations?.[0]?.field, field);
    });
  }

  test('no event of it is taken in', async () => {
    const good = anEvent();
    assert.equal((await post({ events: [good, timeless] })).status, 400);
    assert.equal(await isKnown(good.value), false);
  });
});

describe('sizes', () => {
  test('a thousand events are one batch, one more is too many', async () => {
    assert.equal((await sensor.ingest(events(1_000))).acceptedCount, 1_000);
    assert.equal((await post({ events: events(1_001) })).status, 400);
  });

  test('a body may have 8 MiB and no byte more', async () => {
    const text = JSON.stringify({ events: [anEvent()] });
    assert.equal((await post(text.padEnd(8 * MIB))).status, 200);
    const { code, details } = (await post(text.padEnd(8 * MIB + 1))).expect<RpcStatus>(413);
    assert.deepEqual([code, details[0]?.reason], [3, 'BODY_TOO_LARGE']);
  });
});
