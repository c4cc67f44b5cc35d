// Events of a batch and the answer to it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromJson } from '@bufbuild/protobuf';
import type { Caller } from '../../gateway/caller.ts';
import { SensorEventSchema } from '../../protojson/contract.ts';
import { toSensorEvent } from '../../protojson/sensor-event.ts';
import { encodeIngestResponse, toReporter } from './ingest-mapping.ts';

const CALLER: Caller = {
  credential: 'sensor-key',
  id: 'key-1',
  account: 'plant',
  actor: 'key-1',
  name: 'Substation 4',
  scopes: new Set(),
  ceiling: 'AMBER',
  reliability: 0.6,
};
const REPORTER = toReporter(CALLER);

test('a credential is one group and one source', () => {
  assert.deepEqual(REPORTER, {
    account: 'plant',
    group: 'key-1',
    source: { id: 'key-1', name: 'Substation 4', reliability: 0.6 },
    ceiling: 'AMBER',
  });
});

test('a rotated key reports as the first of its line', () => {
  const { group, source } = toReporter({ ...CALLER, id: 'key-3', reportsAs: 'key-1' });
  assert.deepEqual([group, source.id], ['key-1', 'key-1']);
});

test('every member of an event arrives', () => {
  const event = fromJson(SensorEventSchema, {
    eventId: 'e1',
    sensorId: 's1',
    sensorType: 'SENSOR_TYPE_ICS',
    protocol: 'PROTOCOL_MODBUS',
    indicatorType: 'INDICATOR_TYPE_IPV4',
    value: '203.0.113[.]9',
    observedAt: '2026-01-01T00:00:00.0019Z',
    count: '18446744073709551615',
    source: { id: 'src', name: 'Source', reliability: 0 },
    categories: ['THREAT_CATEGORY_SCANNER', 'THREAT_CATEGORY_UNSPECIFIED', 'THREAT_CATEGORY_SCANNER'],
    severity: 'SEVERITY_LOW',
    tags: ['a', 'a'],
    labels: [{ key: 'k', value: 'v' }],
    tlp: 'TLP_MARKING_AMBER',
    evidence: { 'modbus.function_code': '43' },
  });
  assert.deepEqual(toSensorEvent(event), {
    eventId: 'e1',
    sensorId: 's1',
    sensorType: 'ICS',
    protocol: 'MODBUS',
    indicatorType: 'IPV4',
    value: '203.0.113[.]9',
    observedAt: Date.UTC(2026, 0, 1) + 1,
    count: 18446744073709551615n,
    source: { id: 'src', name: 'Source', reliability: 0 },
    categories: ['SCANNER'],
    severity: 'LOW',
    tags: ['a'],
    labels: [{ key: 'k', value: 'v' }],
    tlp: 'AMBER',
    evidence: { 'modbus.function_code': '43' },
  });
});

test('what an event leaves open', () => {
  const plain = fromJson(SensorEventSchema, { value: 'x', observedAt: '2026-01-01T00:00:00Z' });
  const event = toSensorEvent(plain);
  assert.equal('source' in event, false);
  assert.deepEqual(
    [event.severity, event.tlp, event.indicatorType, event.count],
    ['UNSPECIFIED', 'UNSPECIFIED', 'UNSPECIFIED', 0n],
  );
  const named = fromJson(SensorEventSchema, { source: { id: 'src' }, observedAt: '2026-01-01T00:00:00Z' });
  assert.deepEqual(toSensorEvent(named).source, { id: 'src', name: 'src', reliability: 0 });
});

test('the answer names the status of each event and counts them', () => {
  const answer = encodeIngestResponse([
    { eventId: 'a', status: 'ACCEPTED', indicatorId: 'i1' },
    { eventId: 'b', status: 'REFUSED', reason: 'PRIVATE_ADDRESS' },
    { eventId: 'c', status: 'DUPLICATE', indicatorId: 'i1' },
    { eventId: 'd', status: 'ACCEPTED', indicatorId: 'i2' },
  ]);
  assert.deepEqual(JSON.parse(answer), {
    results: [
      { eventId: 'a', status: 'ACCEPTED', indicatorId: 'i1', reason: '' },
      { eventId: 'b', status: 'REFUSED', indicatorId: '', reason: 'PRIVATE_ADDRESS' },
      { eventId: 'c', status: 'DUPLICATE', indicatorId: 'i1', reason: '' },
      { eventId: 'd', status: 'ACCEPTED', indicatorId: 'i2', reason: '' },
    ],
    acceptedCount: 2,
    duplicateCount: 1,
    refusedCount: 1,
  });
});
