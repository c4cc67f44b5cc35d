import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import type { ReaderOptions, RecordResult } from './reader.ts';
import { sensorEventLines } from './sensor-event-lines.ts';

const MINIMAL = { eventId: 'e-1', sensorId: 's-1', value: '192.0.2.1', observedAt: '2026-03-02T05:11:09Z' };

function readText(text: string, options: ReaderOptions = {}): RecordResult | undefined {
  return sensorEventLines.createReader(options).read({ text, number: 7 });
}

function read(
  changes: Readonly<Record<string, unknown>>,
  options: ReaderOptions = {},
): SensorEvent | string | undefined {
  const result = readText(JSON.stringify({ ...MINIMAL, ...changes }), options);
  if (result?.kind === 'refused') return result.reason;
  return result?.kind === 'events' ? result.events[0] : undefined;
}

function event(changes: Readonly<Record<string, unknown>>, options: ReaderOptions = {}): SensorEvent {
  const found = read(changes, options);
  assert.ok(typeof found === 'object', String(found));
  return found;
}

test('what is left out has the values of the contract', () => {
  assert.deepEqual(event({}), {
    eventId: 'e-1',
    sensorId: 's-1',
    sensorType: 'UNSPECIFIED',
    protocol: 'UNSPECIFIED',
    indicatorType: 'UNSPECIFIED',
    value: '192.0.2.1',
    observedAt: Date.UTC(2026, 2, 2, 5, 11, 9),
    count: 0n,
    categories: [],
    severity: 'UNSPECIFIED',
    tags: [],
    labels: [],
    tlp: 'UNSPECIFIED',
    evidence: {},
  });
});

test('everything that can be said', () => {
  const full = {
    sensorType: 'SENSOR_TYPE_ICS',
    protocol: 'PROTOCOL_OPC_UA',
    indicatorType: 'INDICATOR_TYPE_IPV4',
    count: '18446744073709551615',
    source: { id: 'partner', name: 'Partner', reliability: 0.9 },
    categories: ['THREAT_CATEGORY_SCANNER', 'EXPLOIT'],
    severity: 'HIGH',
    tags: ['a', 'b'],
    labels: [{ key: 'site', value: 'east' }],
    tlp: 'TLP_MARKING_AMBER_STRICT',
    evidence: { 'opcua.service': 'Browse' },
  };
  const { eventId, sensorId, value, observedAt, ...rest } = event(full);
  assert.deepEqual(rest, {
    ...full,
    sensorType: 'ICS',
    protocol: 'OPC_UA',
    indicatorType: 'IPV4',
    count: 2n ** 64n - 1n,
    categories: ['SCANNER', 'EXPLOIT'],
    tlp: 'AMBER_STRICT',
  });
  assert.deepEqual(
    [eventId, sensorId, value, observedAt],
    ['e-1', 's-1', '192.0.2.1', Date.UTC(2026, 2, 2, 5, 11, 9)],
  );
});

test('both spellings of a name, but not at once', () => {
  const snake = {
    event_id: 'e-2',
    sensor_id: 's-2',
    sensor_type: 'ICS',
    observed_at: '2026-03-02T05:11:09Z',
    value: 'x',
  };
  const result = readText(JSON.stringify(snake));
  assert.equal(result?.kind === 'events' && result.events[0]?.sensorId, 's-2');
  assert.equal(read({ sensor_id: 's-2' }), 'DUPLICATE_FIELD');
  assert.equal(event({ sensor_id: null }).sensorId, 's-1');
});

test('null is the same as left out, and unknown members are passed over', () => {
  assert.deepEqual(event({ tags: null, source: null, tlp: null, comment: 'x', __proto__: 1 }), event({}));
});

test('enumerations by number', () => {
  assert.equal(event({ severity: 4 }).severity, 'HIGH');
  assert.equal(event({ severity: 0 }).severity, 'UNSPECIFIED');
});

test('counts as number or as decimal string', () => {
  assert.equal(event({ count: 12 }).count, 12n);
  assert.equal(event({ count: '12' }).count, 12n);
});

test('a source without a name has its id for one, and one without reliability leaves it open', () => {
  assert.deepEqual(event({ source: { id: 'x' } }).source, { id: 'x', name: 'x', reliability: 0 });
});

test('a line without an event id gets one from its content', () => {
  const first = event({ eventId: undefined });
  assert.match(first.eventId, /^[0-9a-f]{32}$/);
  assert.equal(event({ eventId: '', value: '192.0.2.2' }).eventId.length, 32);
  assert.equal(event({ eventId: undefined }).eventId, first.eventId);
  assert.notEqual(event({ eventId: undefined, value: '192.0.2.2' }).eventId, first.eventId);
});

test('a line without a sensor needs one that is named', () => {
  assert.equal(read({ sensorId: undefined }), 'MISSING_SENSOR_ID');
  assert.equal(event({ sensorId: undefined }, { sensor: 'east' }).sensorId, 'east');
  assert.equal(event({}, { sensor: 'east' }).sensorId, 's-1');
});

test('each fault has a reason of its own', () => {
  const faults: [Readonly<Record<string, unknown>>, string][] = [
    [{ value: undefined }, 'MISSING_VALUE'],
    [{ value: '' }, 'MISSING_VALUE'],
    [{ value: 7 }, 'INVALID_VALUE'],
    [{ value: 'x'.repeat(4097) }, 'INVALID_VALUE'],
    [{ value: 'a\u0000b' }, 'INVALID_VALUE'],
    [{ value: '\ud800' }, 'INVALID_VALUE'],
    [{ observedAt: undefined }, 'MISSING_OBSERVED_AT'],
    [{ observedAt: '2026-03-02T05:11:09' }, 'INVALID_OBSERVED_AT'],
    [{ observedAt: 1_772_000_000 }, 'INVALID_OBSERVED_AT'],
    [{ eventId: 'x'.repeat(129) }, 'INVALID_EVENT_ID'],
    [{ eventId: 5 }, 'INVALID_EVENT_ID'],
    [{ sensorId: {} }, 'INVALID_SENSOR_ID'],
    [{ sensorType: 'ics' }, 'INVALID_SENSOR_TYPE'],
    [{ protocol: 'PROTOCOL_MODBUSS' }, 'INVALID_PROTOCOL'],
    [{ protocol: 99 }, 'INVALID_PROTOCOL'],
    [{ indicatorType: 'constructor' }, 'INVALID_INDICATOR_TYPE'],
    [{ severity: 1.5 }, 'INVALID_SEVERITY'],
    [{ tlp: 'TLP:RED' }, 'INVALID_TLP'],
    [{ count: -1 }, 'INVALID_COUNT'],
    [{ count: 1.5 }, 'INVALID_COUNT'],
    [{ count: '18446744073709551616' }, 'INVALID_COUNT'],
    [{ count: '1e3' }, 'INVALID_COUNT'],
    [{ count: 2 ** 60 }, 'INVALID_COUNT'],
    [{ source: 'x' }, 'INVALID_SOURCE'],
    [{ source: { name: 'x' } }, 'INVALID_SOURCE'],
    [{ source: { id: 'x', reliability: 1.1 } }, 'INVALID_SOURCE'],
    [{ categories: 'SCANNER' }, 'INVALID_CATEGORIES'],
    [{ categories: ['SCANNERS'] }, 'INVALID_CATEGORIES'],
    [{ categories: [null] }, 'INVALID_CATEGORIES'],
    [{ tags: [''] }, 'INVALID_TAGS'],
    [{ tags: ['x'.repeat(101)] }, 'INVALID_TAGS'],
    [{ tags: Array(51).fill('x') }, 'INVALID_TAGS'],
    [{ labels: [{ key: '', value: 'x' }] }, 'INVALID_LABELS'],
    [{ labels: [['site', 'east']] }, 'INVALID_LABELS'],
    [{ evidence: ['x'] }, 'INVALID_EVIDENCE'],
    [{ evidence: { key: 43 } }, 'INVALID_EVIDENCE'],
    [{ evidence: { key: 'x'.repeat(1025) } }, 'INVALID_EVIDENCE'],
    [{ evidence: { ['k'.repeat(65)]: 'x' } }, 'INVALID_EVIDENCE'],
  ];
  for (const [changes, reason] of faults)
    assert.equal(read(changes), reason, JSON.stringify(changes).slice(0, 80));
});

test('what is no object is refused with its line, and a blank line is no record', () => {
  for (const text of ['{"value": ', 'null', '[]', '7', '[['.repeat(100_000)]) {
    assert.deepEqual(readText(text), { kind: 'refused', line: 7, reason: 'INVALID_JSON' });
  }
  assert.equal(readText('  '), undefined);
  const faulty = sensorEventLines.createReader({}).read({ text: '', number: 2, fault: 'LINE_TOO_LONG' });
  assert.deepEqual(faulty, { kind: 'refused', line: 2, reason: 'LINE_TOO_LONG' });
});
