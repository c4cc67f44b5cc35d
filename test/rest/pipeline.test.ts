// One event on its way through the service: sensor log, ingest, score, enrichment, search, feed, verification.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { recompute } from '../../src/domain/score/confidence.ts';
import type { ScoreReceipt } from '../../src/domain/score/score-receipt.ts';
import { tis } from '../support/command-line.ts';
import type { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, conpotModbusLine, daysAgo, eventOfConpotLine } from '../support/sensor-events.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import { until } from '../support/until.ts';
import type { StixObject, WireIndicator, WireReceipt } from '../support/wire.ts';

/** The time from the acknowledgement until search and feed have the event. */
const VISIBLE_WITHIN_MS = 2_000;
/** A busy machine may miss the limit now and then, but not this many times in a row. */
const ATTEMPTS = 10;

let service: RunningService;
let reader: RestClient;
let sensor: RestClient;
let analyst: RestClient;
let feed: TaxiiClient;

before(async () => {
  service = await RunningService.start();
  const key = await service.key();
  reader = service.as(key);
  feed = new TaxiiClient(() => service.url, key);
  sensor = service.as(await service.key({ name: 'pump house', sensor: true, reliability: 0.8 }));
  analyst = service.as(service.token('indicators:read indicators:verify'));
});
after(() => service.dispose());

/** The versions of an indicator in the feed, oldest first. */
async function versionsOf(id: string): Promise<readonly StixObject[]> {
  const { items } = await feed.objects({ 'match[id]': `indicator--${id}`, 'match[version]': 'all' });
  return items;
}

/** The extension of a STIX indicator. */
function extensionOf(object: StixObject | undefined): Record<string, unknown> {
  const [extension] = Object.values((object?.extensions ?? {}) as Record<string, Record<string, unknown>>);
  assert.ok(extension, 'the object has no extension');
  return extension;
}

/** Sends one log line about an address and measures the time from its acknowledgement to the query that found it. */
async function foundEverywhere(address: string): Promise<{ id: string; afterMs: number }> {
  const event = await eventOfConpotLine(conpotModbusLine(address, new Date()));
  assert.equal(event.evidence?.['modbus.function_code'], '5');
  const { results, acceptedCount } = await sensor.ingest([event]);
  const acknowledged = performance.now();
  assert.equal(acceptedCount, 1);
  const id = results[0]!.indicatorId;
  const afterMs = await until('the indicator ENRICHED in search, by id and in the feed', async () => {
    const asked = performance.now() - acknowledged;
    const { indicators } = await reader.search({
      query: address,
      filter: { protocols: ['PROTOCOL_MODBUS'], states: ['INDICATOR_STATE_ENRICHED'] },
    });
    const published = await versionsOf(id);
    const found =
      indicators.some((indicator) => indicator.id === id) &&
      (await reader.get(id)).state === 'INDICATOR_STATE_ENRICHED' &&
      extensionOf(published.at(-1)).state === 'enriched';
    return found ? asked : undefined;
  });
  return { id, afterMs };
}

describe('one Modbus line of a Conpot log', () => {
  const address = '198.51.100.77';
  let id = '';

  test('is found by search, by id and in the feed within two seconds', async () => {
    let found = await foundEverywhere(address);
    id = found.id;
    for (let attempt = 1; found.afterMs > VISIBLE_WITHIN_MS && attempt < ATTEMPTS; attempt += 1) {
      found = await foundEverywhere(`198.51.100.${100 + attempt}`);
    }
    assert.ok(found.afterMs <= VISIBLE_WITHIN_MS, `${found.afterMs} ms`);
  });

  test('says what was seen: a write to an output of a controller, with its techniques', async () => {
    const indicator = await reader.get(id);
    assert.equal(indicator.type, 'INDICATOR_TYPE_IPV4');
    assert.equal(indicator.value, address);
    assert.equal(indicator.protocol, 'PROTOCOL_MODBUS');
    assert.equal(indicator.sensorType, 'SENSOR_TYPE_ICS');
    assert.equal(indicator.severity, 'SEVERITY_HIGH');
    assert.deepEqual(indicator.categories, ['THREAT_CATEGORY_EXPLOIT']);
    assert.ok(indicator.labels.some(({ key, value }) => key === 'intent' && value === 'write'));
    assert.deepEqual(indicator.sightings.length, 1);
    assert.deepEqual(
      indicator.sources.map(({ name, reliability }) => ({ name, reliability })),
      [{ name: 'pump house', reliability: 0.8 }],
    );

    const { enrichment } = indicator;
    assert.ok(enrichment);
    assert.ok(enrichment.attackTechniques.length > 0);
    for (const technique of enrichment.attackTechniques) assert.match(technique, /^T\d{4}(\.\d{3})?$/);
    assert.match(enrichment.aiSummary, /Modbus/i);
    assert.ok((enrichment.riskScore ?? -1) >= 0 && (enrichment.riskScore ?? 2) <= 1);

    const published = (await versionsOf(id)).at(-1);
    assert.deepEqual(extensionOf(published).attack_techniques, enrichment.attackTechniques);
    assert.equal(published?.confidence, indicator.confidenceScore);
    assert.equal(published?.pattern, `[ipv4-addr:value = '${address}']`);
  });

  test('went from RAW through SCORED to ENRICHED, each step in the receipt and published from SCORED on', async () => {
    const { history } = await reader.explain(id);
    assert.deepEqual(
      history.map(({ to, actor }) => [to, actor]),
      ['RAW', 'SCORED', 'ENRICHED'].map((state) => [`INDICATOR_STATE_${state}`, 'pipeline']),
    );
    const states = (await versionsOf(id)).map((version) => extensionOf(version).state);
    assert.deepEqual(states, ['scored', 'enriched']);
  });

  test('a repeat of it is a duplicate and changes nothing', async () => {
    const earlier = await reader.send(`/v1/indicators/${id}`);
    const event = await eventOfConpotLine(
      conpotModbusLine(address, new Date(earlier.json<WireIndicator>().lastSeen)),
    );
    const { results } = await sensor.ingest([event]);
    assert.deepEqual(results[0], {
      eventId: event.eventId,
      status: 'DUPLICATE',
      indicatorId: id,
      reason: '',
      notUnderstood: [],
    });
    await service.settled();
    assert.equal((await reader.send(`/v1/indicators/${id}`)).text, earlier.text);
  });
});

describe('the receipt', () => {
  /** The terms of a score. `recompute` reads no other part of a receipt. */
  const toDomain = (receipt: WireReceipt): ScoreReceipt =>
    ({
      groups: receipt.groups,
      corroboration: receipt.corroboration,
      adjustments: receipt.adjustments,
      caps: receipt.caps,
    }) as unknown as ScoreReceipt;

  /** The formula of the rules README, one line each, without code of the service. */
  function byHand(receipt: WireReceipt): number {
    const { sensorDays, doublings, acts, spanDoublings } = receipt.corroboration!;
    const left =
      (0.5 + 0.5 * 2 ** (-Math.max(0, sensorDays - 1) / 5)) *
      (0.6 + 0.4 * 2 ** (-doublings / 3)) *
      (0.6 + 0.4 * 2 ** (-Math.max(0, acts - 1) / 3)) *
      (0.7 + 0.3 * 2 ** (-spanDoublings / 8));
    let doubt = 1;
    for (const { reliability, quality, recency } of receipt.groups)
      doubt *= 1 - reliability * (1 - (1 - quality) * left) * recency;
    const adjustments = receipt.adjustments.reduce((sum, { points }) => sum + points, 0);
    const score = 100 * (1 - doubt) + Math.max(-10, Math.min(10, adjustments));
    return Math.round(Math.min(score, ...receipt.caps.map(({ limit }) => limit)));
  }

  test('recomputes to the score, by the rules and by hand', async () => {
    const second = service.as(await service.key({ name: 'substation', sensor: true, reliability: 0.5 }));
    const value = '198.51.100.81';
    await sensor.ingest([anEvent({ value }), anEvent({ value, observedAt: daysAgo(2) })]);
    const { results } = await second.ingest([
      anEvent({
        value,
        sensorId: 'substation-1',
        observedAt: daysAgo(5),
        evidence: { 'modbus.function_code': '43' },
      }),
    ]);
    await service.settled();

    const id = results[0]!.indicatorId;
    const receipt = await reader.explain(id);
    const { confidenceScore } = await reader.get(id);
    assert.equal(receipt.groups.length, 2);
    assert.equal(receipt.corroboration?.sensorDays, 3);
    assert.deepEqual(receipt.groups.map(({ reliability }) => reliability).sort(), [0.5, 0.8]);
    assert.ok(receipt.groups.some(({ recency }) => recency < 1));
    assert.deepEqual(receipt.caps, [], 'two independent groups are not capped');
    assert.equal(receipt.score, confidenceScore);
    assert.equal(recompute(toDomain(receipt)), confidenceScore);
    assert.equal(byHand(receipt), confidenceScore);
  });

  test('one source alone stays below 90, whatever it says and however often', async () => {
    const sure = service.as(await service.key({ name: 'sure', sensor: true, reliability: 1 }));
    const value = '198.51.100.82';
    const days = Array.from({ length: 60 }, (_, day) => anEvent({ value, observedAt: daysAgo(day) }));
    const { results } = await sure.ingest(days);
    await service.settled();
    const receipt = await reader.explain(results[0]!.indicatorId);
    assert.equal(receipt.score, 89);
    assert.deepEqual(
      receipt.caps.map(({ rule }) => rule),
      ['single-source'],
    );
    assert.equal(byHand(receipt), 89);
  });
});

test('a sighting that changes nothing a reader would act on is counted, and is no new version', async () => {
  const value = '198.51.100.83';
  const { results } = await sensor.ingest([anEvent({ value, count: 8 })]);
  const id = results[0]!.indicatorId;
  await service.settled();
  const published = await versionsOf(id);
  await sensor.ingest([anEvent({ value, count: 7 })]);
  await service.settled();
  assert.deepEqual(
    (await reader.get(id)).sightings.map(({ count }) => count),
    ['15'],
  );
  assert.deepEqual(await versionsOf(id), published);
});

describe('verification', () => {
  const value = '198.51.100.90';
  let id = '';

  before(async () => {
    id = (await sensor.ingest([anEvent({ value })])).results[0]!.indicatorId;
    await service.settled();
  });

  test('is a person’s act: an API key is refused, whatever its scopes', async () => {
    for (const scopes of [['indicators:verify'], ['admin']]) {
      const key = await service.key({ scopes });
      const answer = await service.as(key).send(`/v1/indicators/${id}:verify`, { method: 'POST' });
      assert.equal(answer.status, 403, answer.text);
    }
    assert.equal((await reader.get(id)).state, 'INDICATOR_STATE_ENRICHED');
  });

  test('by a JWT it makes the indicator VERIFIED and publishes a later version', async () => {
    const unverified = await reader.get(id);
    const published = await versionsOf(id);
    const verified = await analyst.verify(id, { note: 'seen in the plant log' });
    assert.equal(verified.state, 'INDICATOR_STATE_VERIFIED');
    // Verification changes the state and the verdict only.
    const verdict = { key: 'verdict', value: 'malicious' };
    const labels = unverified.labels.map((label) => (label.key === 'verdict' ? verdict : label));
    assert.deepEqual(verified, {
      ...unverified,
      labels,
      state: verified.state,
      updatedAt: verified.updatedAt,
    });
    assert.ok(labels.includes(verdict));
    assert.ok(Date.parse(verified.updatedAt) > Date.parse(unverified.updatedAt));
    assert.deepEqual(await reader.get(id), verified);

    const { history } = await reader.explain(id);
    assert.equal(history.at(-1)?.to, 'INDICATOR_STATE_VERIFIED');
    assert.equal(history.at(-1)?.actor, 'ann');

    const versions = await versionsOf(id);
    assert.equal(versions.length, published.length + 1);
    assert.equal(extensionOf(versions.at(-1)).state, 'verified');
    assert.ok((versions.at(-1)?.modified ?? '') > (published.at(-1)?.modified ?? ''));
  });

  test('a repeat changes nothing', async () => {
    const earlier = { indicator: await reader.get(id), versions: await versionsOf(id) };
    assert.deepEqual(await analyst.verify(id), earlier.indicator);
    assert.deepEqual({ indicator: await reader.get(id), versions: await versionsOf(id) }, earlier);
  });

  test('new sightings are counted and re-scored, and move no state back', async () => {
    const earlier = await reader.get(id);
    const [anHourLater, aDayEarlier] = [daysAgo(-1 / 24), daysAgo(1)];
    await sensor.ingest([
      anEvent({ value, observedAt: anHourLater }),
      anEvent({ value, observedAt: aDayEarlier }),
    ]);
    await service.settled();
    const later = await reader.get(id);
    assert.equal(later.state, 'INDICATOR_STATE_VERIFIED');
    assert.equal(later.createdAt, earlier.createdAt);
    assert.equal(later.firstSeen, aDayEarlier);
    assert.equal(later.lastSeen, anHourLater);
    assert.deepEqual(
      later.sightings.map(({ count }) => count),
      ['2', '1'],
    );
    assert.ok(later.confidenceScore > earlier.confidenceScore);
    assert.equal(extensionOf((await versionsOf(id)).at(-1)).state, 'verified');
    const { history } = await reader.explain(id);
    assert.equal(history.length, 4);
  });
});

describe('a repeated request', () => {
  test('under one requestId is answered as the first time, and counted once', async () => {
    const batch = [anEvent(), anEvent({ value: '10.1.2.3' })];
    const first = await sensor.ingest(batch, 'request-1');
    assert.deepEqual(
      first.results.map(({ status }) => status),
      ['ACCEPTED', 'REFUSED'],
    );
    assert.deepEqual(await sensor.ingest(batch, 'request-1'), first);
    await service.settled();
    assert.deepEqual(
      (await reader.get(first.results[0]!.indicatorId)).sightings.map(({ count }) => count),
      ['1'],
    );
  });

  test('with another batch under the same requestId is refused and takes nothing in', async () => {
    const event = anEvent();
    const body = { events: [event], requestId: 'request-1' };
    const answer = await sensor.send('/v1/sensorEvents:ingest', { method: 'POST', body });
    assert.equal(answer.status, 400);
    assert.match(answer.text, /REQUEST_ID_REUSED/);
    assert.equal(await reader.find(event.value), undefined);
  });

  test('of which no event was accepted is not remembered: its id is free again', async () => {
    const known = anEvent();
    await sensor.ingest([known]);
    const refused = await sensor.ingest([anEvent({ value: '10.1.2.3' })], 'request-2');
    assert.equal(refused.refusedCount, 1);
    const repeat = await sensor.ingest([known, anEvent({ value: '10.1.2.3' })], 'request-2');
    assert.deepEqual([repeat.duplicateCount, repeat.refusedCount], [1, 1]);
    assert.equal((await sensor.ingest([anEvent()], 'request-2')).acceptedCount, 1);
  });

  test('a requestId is the sender’s own: two senders may use the same', async () => {
    const other = service.as(await service.key({ name: 'other', sensor: true }));
    assert.equal((await other.ingest([anEvent()], 'request-1')).acceptedCount, 1);
  });
});

describe('while no worker runs', () => {
  let waiting: RunningService;
  before(async () => {
    waiting = await RunningService.start({ TIS_WORKERS: '0' });
  });
  after(() => waiting.dispose());

  test('an indicator is RAW: found, not published, not to be verified, until a worker comes', async () => {
    const key = await waiting.key({ scopes: ['indicators:read', 'events:write'] });
    const client = waiting.as(key);
    const { results } = await client.ingest([anEvent()]);
    const id = results[0]!.indicatorId;

    const raw = await client.get(id);
    assert.equal(raw.state, 'INDICATOR_STATE_RAW');
    assert.equal(raw.confidenceScore, 0);
    assert.equal('enrichment' in raw || 'validUntil' in raw, false);
    const { indicators } = await client.search({ filter: { states: ['INDICATOR_STATE_RAW'] } });
    assert.deepEqual(indicators, [raw]);
    const receipt = await client.explain(id);
    assert.deepEqual(
      receipt.history.map(({ to }) => to),
      ['INDICATOR_STATE_RAW'],
    );
    assert.equal(receipt.score, undefined);

    const taxii = new TaxiiClient(() => waiting.url, key);
    assert.deepEqual((await taxii.objects({ 'match[type]': 'indicator' })).items, []);

    const verify = { method: 'POST', credential: waiting.token('indicators:verify') };
    const refused = (await client.send(`/v1/indicators/${id}:verify`, verify)).expect<{ code: number }>(400);
    assert.equal(refused.code, 9);
    assert.equal((await client.get(id)).state, 'INDICATOR_STATE_RAW');

    const { code, stdout } = await tis(['work', '--once', '--data-dir', waiting.dataDir]);
    assert.deepEqual([code, stdout], [0, '1 done\n']);
    assert.equal((await client.get(id)).state, 'INDICATOR_STATE_ENRICHED');
    assert.equal((await taxii.objects({ 'match[type]': 'indicator' })).items.length, 1);
  });
});
