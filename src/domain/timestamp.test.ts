// Timestamps as clients send them, and the one form in which we write them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';

const NOON = Date.UTC(2026, 0, 31, 12) * 1_000;

const ACCEPTED: readonly (readonly [string, number])[] = [
  ['2026-01-31T12:00:00Z', NOON],
  ['2026-01-31T12:00:00.5Z', NOON + 500_000],
  ['2026-01-31T12:00:00.123Z', NOON + 123_000],
  ['2026-01-31T12:00:00.123456Z', NOON + 123_456],
  ['2026-01-31T12:00:00.123456999Z', NOON + 123_456],
  ['2026-01-31t12:00:00z', NOON],
  ['2026-01-31T12:00:00+00:00', NOON],
  ['2026-01-31T12:00:00 00:00', NOON],
  ['2026-01-31T12:00:00-00:00', NOON],
  ['2026-01-31T13:30:00.000001+01:30', NOON + 1],
  ['2026-01-31T13:30:00.000001 01:30', NOON + 1],
  ['2026-01-31T00:00:00-12:00', NOON],
  ['2026-01-31T11:59:60Z', NOON],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29) * 1_000],
  ['1969-12-31T23:59:59.999999Z', -1],
  ['0001-01-01T00:00:00Z', -62_135_596_800_000_000],
  ['9999-12-31T23:59:59Z', 253_402_300_799_000_000],
  ['9999-12-31T23:59:59.999999Z', 253_402_300_799_000_000],
  ['0000-01-01T00:00:00.000001Z', -62_167_219_200_000_000],
];

const REFUSED = [
  '',
  'xx',
  '2026-01-31',
  '2026-01-31T12:00:00',
  '2026-01-31T12:00Z',
  '2026-01-31T12:00:00.Z',
  '2026-01-31T12:00:00.1234567890Z',
  '2026-02-29T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-00-01T12:00:00Z',
  '2026-01-00T12:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:60:00Z',
  '2026-01-31T12:00:61Z',
  '2026-01-31T12:00:00+24:00',
  '2026-01-31T12:00:00+0100',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01T00:00:00+01:00',
  ' 2026-01-31T12:00:00Z',
  '2026-01-31T12:00:00Z\n',
  '1769860800',
];

for (const [text, micros] of ACCEPTED) {
  test(`${text} is a timestamp`, () => assert.equal(parseTimestamp(text), micros));
}

for (const text of REFUSED) {
  test(`${JSON.stringify(text)} is no timestamp`, () => assert.equal(parseTimestamp(text), undefined));
}

test('what is written has six fraction digits and reads back the same', () => {
  const micros = fc.integer({ min: Date.UTC(1700, 0, 1) * 1_000, max: Date.UTC(2250, 0, 1) * 1_000 });
  fc.assert(
    fc.property(micros, (value) => {
      const text = formatTimestamp(value);
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      assert.equal(parseTimestamp(text), value);
    }),
  );
});

test('digits beyond the microsecond are cut, so that "later than" means the same entries', () => {
  const entry = NOON + 123_456;
  const asked = parseTimestamp('2026-01-31T12:00:00.123455999Z') ?? Number.NaN;
  assert.ok(entry > asked);
  assert.ok(entry <= (parseTimestamp('2026-01-31T12:00:00.123456001Z') ?? Number.NaN));
});

test('a time that four digits of a year can say is always written', () => {
  for (const [text, micros] of ACCEPTED) assert.equal(formatTimestamp(micros).length, 27, text);
});
