// Reading and writing RFC 3339 (google.protobuf.Timestamp in ProtoJSON).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ceilToInstant,
  floorToInstant,
  formatInstant,
  formatProtoTimestamp,
  parseProtoTimestamp,
} from './proto-timestamp.ts';

const ACCEPTED: readonly [text: string, canonical: string][] = [
  ['2026-01-31T23:59:59Z', '2026-01-31T23:59:59Z'],
  ['2026-01-31T23:59:59.5Z', '2026-01-31T23:59:59.500Z'],
  ['2026-01-31T23:59:59.123456Z', '2026-01-31T23:59:59.123456Z'],
  ['2026-01-31T23:59:59.1234567Z', '2026-01-31T23:59:59.123456700Z'],
  ['2026-01-31T23:59:59.000000001Z', '2026-01-31T23:59:59.000000001Z'],
  ['2026-01-31T23:59:59.000000000Z', '2026-01-31T23:59:59Z'],
  ['2026-02-01T01:29:59+01:30', '2026-01-31T23:59:59Z'],
  ['2026-01-31T00:00:00-23:59', '2026-01-31T23:59:00Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.500Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['0099-03-01T00:00:00Z', '0099-03-01T00:00:00Z'],
  ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999999Z'],
];

const REFUSED: readonly string[] = [
  '',
  '2026-01-31',
  '2026-01-31T23:59:59',
  '2026-01-31 23:59:59Z',
  '2026-01-31t23:59:59Z',
  '2026-01-31T23:59:59z',
  '2026-01-31T23:59:59+0200',
  '2026-01-31T23:59:59+2:00',
  '2026-01-31T23:59:59+24:00',
  '2026-01-31T23:59:59+25:00',
  '2026-01-31T23:59:59+01:60',
  '2026-01-31T23:59Z',
  '2026-01-31T23:59:60Z',
  '2026-01-31T23:60:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T3:00:00Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-13-10T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '0000-12-31T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '10000-01-01T00:00:00Z',
  '-0001-01-01T00:00:00Z',
  '2026-01-31T23:59:59.Z',
  '2026-01-31T23:59:59,5Z',
  '2026-01-31T23:59:59.1234567890Z',
  ' 2026-01-31T23:59:59Z',
  '2026-01-31T23:59:59Z\n',
  '1767225600',
];

test('instants that exist are understood and written the shortest exact way', () => {
  for (const [text, canonical] of ACCEPTED) {
    const parsed = parseProtoTimestamp(text);
    assert.ok(parsed, text);
    assert.equal(formatProtoTimestamp(parsed), canonical);
  }
});

test('everything else is refused', () => {
  for (const text of REFUSED) assert.equal(parseProtoTimestamp(text), undefined, text);
});

test('every instant survives the way out and in again', () => {
  const instants = fc.record({
    seconds: fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }),
    nanos: fc.nat({ max: 999_999_999 }),
  });
  fc.assert(
    fc.property(instants, (parts) =>
      assert.deepEqual(parseProtoTimestamp(formatProtoTimestamp(parts)), { ...parts }),
    ),
  );
});

test('milliseconds are written as Date does, without a fraction that is zero', () => {
  const instants = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(instants, (instant) => {
      assert.equal(formatInstant(instant), new Date(instant).toISOString().replace('.000Z', 'Z'));
    }),
  );
});

test('a finer instant is brought to milliseconds downwards or upwards', () => {
  const before = parseProtoTimestamp('1969-12-31T23:59:59.9985Z');
  assert.ok(before);
  assert.equal(floorToInstant(before), -2);
  assert.equal(ceilToInstant(before), -1);
  const exact = parseProtoTimestamp('1970-01-01T00:00:01.002Z');
  assert.ok(exact);
  assert.equal(floorToInstant(exact), 1_002);
  assert.equal(ceilToInstant(exact), 1_002);
});
