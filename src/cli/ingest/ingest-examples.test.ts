import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import { shiftEvents } from './ingest-examples.ts';

function eventAt(observedAt: number): SensorEvent {
  return {
    eventId: String(observedAt),
    sensorId: 's',
    sensorType: 'ICS',
    protocol: 'MODBUS',
    indicatorType: 'IPV4',
    value: '192.0.2.1',
    observedAt,
    count: 1n,
    categories: [],
    severity: 'UNSPECIFIED',
    tags: [],
    labels: [],
    tlp: 'UNSPECIFIED',
    evidence: {},
  };
}

test('the newest event gets the time, and the others keep their distance and their order', () => {
  const shifted = shiftEvents([eventAt(100), eventAt(300), eventAt(200)], 1_000);
  assert.deepEqual(
    shifted.map((event) => event.observedAt),
    [800, 1_000, 900],
  );
  assert.deepEqual({ ...shifted[0], observedAt: 100 }, eventAt(100));
});

test('nothing to shift', () => {
  assert.deepEqual(shiftEvents([], 1_000), []);
});
