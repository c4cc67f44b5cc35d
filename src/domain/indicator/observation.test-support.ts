// Observations and events for tests: one example of each, and random ones from small ranges so that they collide.

import fc from 'fast-check';
import { DAY, HOUR } from '../instant.ts';
import { PROTOCOLS, SENSOR_TYPES, SEVERITIES, THREAT_CATEGORIES, TLP_MARKINGS } from '../vocabulary.ts';
import { INTENTS, type IndicatorRecord } from './indicator.ts';
import { type MergeContext, mergeObservation } from './merge.ts';
import type { Observation, SensorEvent } from './sensor-event.ts';

export const NOON = Date.parse('2026-01-15T12:00:00Z');

export const CONTEXT: MergeContext = {
  id: '00000000-0000-4000-8000-000000000001',
  now: NOON,
  createdAt: NOON,
};

/** A sensor that saw a Modbus device identity request. */
export const OBSERVATION: Observation = {
  type: 'IPV4',
  value: '192.0.2.10',
  observedAt: NOON,
  count: 1n,
  source: { id: 'plant-a', name: 'Plant A', reliability: 0.7 },
  group: 'key-1',
  sensorId: 'honeypot-1',
  sensorType: 'ICS',
  protocol: 'MODBUS',
  categories: ['SCANNER'],
  severity: 'LOW',
  tags: [],
  labels: [],
  tlp: 'GREEN',
  behaviours: ['modbus:read-device-identification'],
  intent: 'discover',
  quality: 0.6,
  seen: [{ key: 'sensor.id', value: 'honeypot-1' }],
};

export const EVENT: SensorEvent = {
  eventId: 'event-1',
  sensorId: 'honeypot-1',
  sensorType: 'ICS',
  protocol: 'MODBUS',
  indicatorType: 'UNSPECIFIED',
  value: '192.0.2.10',
  observedAt: NOON,
  count: 1n,
  categories: [],
  severity: 'UNSPECIFIED',
  tags: [],
  labels: [],
  tlp: 'UNSPECIFIED',
  evidence: {},
};

export function observation(changes: Partial<Observation> = {}): Observation {
  return { ...OBSERVATION, ...changes };
}

/** The record after all observations. */
export function recordOf(
  observations: readonly Observation[],
  context: MergeContext = CONTEXT,
): IndicatorRecord {
  let record: IndicatorRecord | undefined;
  for (const one of observations) {
    record = mergeObservation(record, one, context);
  }
  if (record === undefined) throw new Error('no observation');
  return record;
}

function known<Name extends string>(vocabulary: readonly Name[]): fc.Arbitrary<Name> {
  return fc.constantFrom(...vocabulary.slice(1));
}

/** Objects with a prototype; fast-check omits it by default. */
function plain<Model>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }): fc.Arbitrary<Model> {
  return fc.record(model, { noNullPrototype: true });
}

const TEXT = fc.constantFrom('a', 'B', 'c/d', 'é', '');

/** Within 150 days, so that more than 100 daily sightings and every recency occur. Often the same instant. */
export const anyInstant = fc.oneof(
  { weight: 1, arbitrary: fc.constant(NOON) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat({ max: 150 }), fc.nat({ max: 23 }))
      .map(([days, hours]) => NOON - days * DAY + hours * HOUR),
  },
);

export const anyObservation: fc.Arbitrary<Observation> = plain({
  type: fc.constant(OBSERVATION.type),
  value: fc.constant(OBSERVATION.value),
  observedAt: anyInstant,
  count: fc.oneof(fc.bigInt({ min: 1n, max: 9n }), fc.constantFrom(2n ** 64n - 1n, 2n ** 63n)),
  source: plain({
    id: fc.constantFrom('s1', 's2', 's3'),
    name: fc.constantFrom('One', 'Two', 'Three'),
    reliability: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  group: fc.constantFrom('g1', 'g2', 'g3'),
  sensorId: fc.constantFrom('', 'x', 'x/1', 'y'),
  sensorType: fc.constantFrom(...SENSOR_TYPES),
  protocol: fc.constantFrom(...PROTOCOLS),
  categories: fc.subarray(THREAT_CATEGORIES.slice(1)),
  severity: fc.constantFrom(...SEVERITIES),
  tags: fc.array(TEXT, { maxLength: 3 }),
  labels: fc.array(plain({ key: fc.oneof(TEXT, fc.constant('intent')), value: TEXT }), { maxLength: 3 }),
  tlp: known(TLP_MARKINGS),
  behaviours: fc.subarray(['dnp3:read', 'login:failed', 'modbus:function-7', 's7:plc-stop']),
  intent: fc.constantFrom(...INTENTS),
  quality: fc.double({ min: 0, max: 1, noNaN: true }),
  seen: fc.subarray([
    { key: 'destination.port', value: '22' },
    { key: 'destination.port', value: '23' },
    { key: 'destination.port', value: '80' },
    { key: 'destination.port', value: '81' },
    { key: 'command.input', value: 'ls' },
    { key: 'command.input', value: 'wget x' },
  ]),
});
