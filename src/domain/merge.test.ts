import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IndicatorRecord } from './indicator.ts';
import { DAY, dayOf, HOUR } from './instant.ts';
import {
  BEHAVIOUR_LIMIT,
  LABEL_LIMIT,
  mergeObservation,
  SENSOR_DAY_LIMIT,
  SOURCE_LIMIT,
  TAG_LIMIT,
} from './merge.ts';
import {
  anyObservation,
  CONTEXT,
  NOON,
  OBSERVATION,
  observation,
  recordOf,
} from './observation.test-data.ts';

const { source } = OBSERVATION;

test('the first observation makes a RAW indicator', () => {
  const record = recordOf([observation({ tags: ['b', 'a', 'b'], labels: [{ key: 'site', value: 'x' }] })], {
    ...CONTEXT,
    createdAt: NOON + 5,
  });
  assert.deepEqual(record, {
    indicator: {
      id: CONTEXT.id,
      type: 'IPV4',
      value: '192.0.2.10',
      categories: ['SCANNER'],
      severity: 'LOW',
      confidenceScore: 0,
      tlp: 'GREEN',
      state: 'RAW',
      firstSeen: NOON,
      lastSeen: NOON,
      sources: [{ ...source, reportedAt: NOON }],
      sightings: [{ sourceId: 'plant-a', observedAt: NOON, count: 1n }],
      tags: ['a', 'b'],
      labels: [
        { key: 'intent', value: 'discover' },
        { key: 'site', value: 'x' },
      ],
      createdAt: NOON + 5,
      updatedAt: NOON + 5,
      protocol: 'MODBUS',
      sensorType: 'ICS',
    },
    evidence: {
      sources: [
        { sourceId: 'plant-a', group: 'key-1', reliability: 0.7, quality: 0.6, lastObservedAt: NOON },
      ],
      sensorDays: [`honeypot-1/${dayOf(NOON)}`],
      behaviours: ['modbus:read-device-identification'],
      lead: {
        intent: 'discover',
        severity: 'LOW',
        observedAt: NOON,
        sourceId: 'plant-a',
        protocol: 'MODBUS',
        sensorType: 'ICS',
      },
    },
    history: [{ from: 'UNSPECIFIED', to: 'RAW', at: NOON + 5, actor: 'pipeline' }],
  });
});

test('a further observation raises, widens and restricts, and keeps the state', () => {
  const first = recordOf([OBSERVATION]);
  const enriched: IndicatorRecord = { ...first, indicator: { ...first.indicator, state: 'ENRICHED' } };
  const merged = mergeObservation(
    enriched,
    observation({
      observedAt: NOON - DAY,
      source: { id: 'plant-b', name: 'Plant B', reliability: 0.9 },
      categories: ['EXPLOIT'],
      severity: 'HIGH',
      tlp: 'AMBER',
      protocol: 'S7',
      intent: 'write',
      behaviours: ['s7:write-variable'],
    }),
    { ...CONTEXT, now: NOON - HOUR },
  );
  assert.ok(merged.ok);
  const { indicator } = merged.record;
  assert.equal(indicator.state, 'ENRICHED');
  assert.deepEqual(indicator.categories, ['SCANNER', 'EXPLOIT']);
  assert.equal(indicator.severity, 'HIGH');
  assert.equal(indicator.tlp, 'AMBER');
  assert.deepEqual([indicator.firstSeen, indicator.lastSeen], [NOON - DAY, NOON]);
  assert.equal(indicator.protocol, 'S7', 'of the observation with the highest intent');
  assert.deepEqual(indicator.labels, [{ key: 'intent', value: 'write' }]);
  assert.deepEqual(
    indicator.sources.map(({ id }) => id),
    ['plant-b', 'plant-a'],
    'in order of first report',
  );
  assert.equal(indicator.updatedAt, NOON + 1, 'later than before, though the clock went back');
  assert.equal(indicator.createdAt, NOON);
  assert.equal(merged.record.history.length, 1);
});

test('one source: the highest reliability, the first report, the name given last', () => {
  const { indicator, evidence } = recordOf([
    observation({ source: { ...source, reliability: 0.4, name: 'New' }, observedAt: NOON }),
    observation({
      source: { ...source, reliability: 0.8, name: 'Old' },
      observedAt: NOON - DAY,
      quality: 0.9,
    }),
  ]);
  assert.deepEqual(indicator.sources, [
    { id: 'plant-a', name: 'New', reliability: 0.8, reportedAt: NOON - DAY },
  ]);
  assert.deepEqual(evidence.sources, [
    { sourceId: 'plant-a', group: 'key-1', reliability: 0.8, quality: 0.9, lastObservedAt: NOON },
  ]);
});

test('one source id used by two credentials stays two pieces of evidence', () => {
  const { indicator, evidence } = recordOf([OBSERVATION, observation({ group: 'key-0', quality: 0.1 })]);
  assert.equal(indicator.sources.length, 1);
  assert.deepEqual(
    evidence.sources.map(({ group, quality }) => [group, quality]),
    [
      ['key-0', 0.1],
      ['key-1', 0.6],
    ],
  );
});

test('protocol and sensor type: intent, then severity, then the latest, then the smallest source', () => {
  const base = { intent: 'read', severity: 'LOW' } as const;
  const shown = (...list: Parameters<typeof observation>[0][]) =>
    recordOf(list.map(observation)).indicator.protocol;
  assert.equal(
    shown({ ...base, protocol: 'S7' }, { ...base, protocol: 'DNP3', intent: 'discover', severity: 'HIGH' }),
    'S7',
  );
  assert.equal(
    shown({ ...base, protocol: 'S7' }, { ...base, protocol: 'DNP3', severity: 'HIGH', observedAt: 0 }),
    'DNP3',
  );
  assert.equal(
    shown({ ...base, protocol: 'S7' }, { ...base, protocol: 'DNP3', observedAt: NOON + 1 }),
    'DNP3',
  );
  assert.equal(
    shown({ ...base, protocol: 'S7' }, { ...base, protocol: 'DNP3', source: { ...source, id: 'a' } }),
    'DNP3',
  );
});

test('the label intent is computed, never taken', () => {
  const labels = [{ key: 'intent', value: 'program' }];
  assert.deepEqual(recordOf([observation({ labels })]).indicator.labels, [
    { key: 'intent', value: 'discover' },
  ]);
  assert.deepEqual(recordOf([observation({ labels, intent: 'none' })]).indicator.labels, []);
});

test('lists have no sensor', () => {
  assert.deepEqual(recordOf([observation({ sensorId: '' })]).evidence.sensorDays, []);
});

test('the order of observations does not matter', () => {
  const shuffled = fc
    .array(anyObservation, { minLength: 1, maxLength: 60, size: 'max' })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      assert.deepEqual(timeless(recordOf(other)), timeless(recordOf(list)));
    }),
    { numRuns: 200 },
  );
});

test('no version shares its time with another', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 5 }), { minLength: 2 }), (clocks) => {
      let record: IndicatorRecord | undefined;
      for (const now of clocks) {
        const merged = mergeObservation(record, OBSERVATION, { ...CONTEXT, now, createdAt: now });
        assert.ok(merged.ok);
        assert.ok(merged.record.indicator.updatedAt > (record?.indicator.updatedAt ?? -1));
        record = merged.record;
      }
    }),
  );
});

test('merging leaves the record it was given alone', () => {
  const record = recordOf([OBSERVATION]);
  const before = structuredClone(record);
  mergeObservation(record, observation({ tags: ['x'], severity: 'HIGH', sensorId: 'y' }), CONTEXT);
  assert.deepEqual(record, before);
});

test('too many sources, tags or labels are refused, one by one', () => {
  const many = (length: number) => Array.from({ length }, (_, index) => `n${index}`);
  const reasonOf = (record: IndicatorRecord, changes: Parameters<typeof observation>[0]) => {
    const merged = mergeObservation(record, observation(changes), CONTEXT);
    return merged.ok ? 'ok' : merged.reason;
  };
  const sources = recordOf(many(SOURCE_LIMIT).map((id) => observation({ source: { ...source, id } })));
  assert.equal(reasonOf(sources, { source: { ...source, id: 'n0' } }), 'ok');
  assert.equal(reasonOf(sources, { source: { ...source, id: 'one-more' } }), 'SOURCE_LIMIT');
  const tags = recordOf([observation({ tags: many(TAG_LIMIT) })]);
  assert.equal(reasonOf(tags, { tags: ['n0'] }), 'ok');
  assert.equal(reasonOf(tags, { tags: ['one-more'] }), 'TAG_LIMIT');
  const labels = recordOf([observation({ labels: many(LABEL_LIMIT).map((key) => ({ key, value: '' })) })]);
  assert.equal(reasonOf(labels, { labels: [{ key: 'n0', value: '' }], intent: 'program' }), 'ok');
  assert.equal(reasonOf(labels, { labels: [{ key: 'one-more', value: '' }] }), 'LABEL_LIMIT');
});

test('sensor-days and behaviours saturate, the most dangerous behaviours stay, in any order', () => {
  const observations = Array.from({ length: 200 }, (_, index) =>
    observation({
      observedAt: NOON - index * DAY,
      behaviours: [index === 77 ? 's7:plc-stop' : `modbus:function-${index}`],
    }),
  );
  const { evidence } = recordOf(observations);
  assert.equal(evidence.sensorDays.length, SENSOR_DAY_LIMIT);
  assert.equal(evidence.behaviours.length, BEHAVIOUR_LIMIT);
  assert.ok(evidence.behaviours.includes('s7:plc-stop'));
  assert.deepEqual(evidence.behaviours, evidence.behaviours.toSorted());
  assert.deepEqual(timeless(recordOf(observations.toReversed())), timeless(recordOf(observations)));
});

function timeless({ indicator, evidence }: IndicatorRecord): unknown {
  return { indicator: { ...indicator, createdAt: 0, updatedAt: 0 }, evidence };
}
