import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, dayOf, HOUR } from '../instant.ts';
import type { IndicatorRecord } from './indicator.ts';
import { materialFingerprint } from './material-fingerprint.ts';
import { BEHAVIOUR_LIMIT, LABEL_LIMIT, mergeObservation, SENSOR_DAY_LIMIT, TAG_LIMIT } from './merge.ts';
import {
  anyObservation,
  CONTEXT,
  NOON,
  OBSERVATION,
  observation,
  recordOf,
} from './observation.test-support.ts';

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
      tagGroups: ['key-1', 'key-1'],
      labelGroups: ['key-1'],
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
  const { indicator } = merged;
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
  assert.equal(merged.history.length, 1);
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

test('the labels intent and verdict are computed, never taken', () => {
  const labels = [
    { key: 'intent', value: 'program' },
    { key: 'verdict', value: 'benign' },
  ];
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
        assert.ok(merged.indicator.updatedAt > (record?.indicator.updatedAt ?? -1));
        record = merged;
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

const labelsOf = (keys: readonly string[]) => keys.map((key) => ({ key, value: '' }));

test('of tags and labels the first to come stay, and an observation with more counts all the same', () => {
  const many = (length: number) => Array.from({ length }, (_, index) => `n${index}`).sort();
  const tags = many(TAG_LIMIT / 2 - 1);
  const labels = many(LABEL_LIMIT / 2 - 1);
  const full = recordOf([observation({ tags, labels: labelsOf(labels) })]);
  const more = observation({
    tags: ['b', 'n0', 'a'],
    labels: labelsOf(['b', 'n0', 'a']),
    severity: 'HIGH',
    intent: 'program',
    count: 7n,
  });
  const { indicator } = mergeObservation(full, more, CONTEXT);
  assert.deepEqual(indicator.tags, ['a', ...tags], 'of the new ones that which sorts first');
  assert.deepEqual(
    indicator.labels.filter(({ key }) => key !== 'intent'),
    labelsOf(['a', ...labels]),
  );
  assert.deepEqual(
    indicator.labels.find(({ key }) => key === 'intent'),
    { key: 'intent', value: 'program' },
  );
  assert.equal(indicator.severity, 'HIGH');
  assert.equal(indicator.sightings[0]?.count, 8n);
});

test('a tag that is left out changes nothing but the time of the version', () => {
  const full = recordOf([
    observation({ tags: Array.from({ length: TAG_LIMIT }, (_, index) => `n${index}`), severity: 'HIGH' }),
  ]);
  const { indicator } = mergeObservation(full, observation({ tags: ['a'] }), CONTEXT);
  assert.equal(materialFingerprint(indicator), materialFingerprint(full.indicator), 'nothing to publish');
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
