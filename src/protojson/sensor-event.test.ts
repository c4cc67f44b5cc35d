// The sensor event of the contract as an event of the domain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromJson } from '@bufbuild/protobuf';
import { SensorEventSchema } from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { toSensorEvent } from './sensor-event.ts';

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
