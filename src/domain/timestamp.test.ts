// The parser against Date, and each departure from the strict form on its own.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseTimestamp, type TimestampForm, toInstant, YEAR_10000 } from './timestamp.ts';

const EVERYTHING: TimestampForm = {
  lowerCase: true,
  blankForT: true,
  blankForPlus: true,
  comma: true,
  offsetWithoutColon: true,
  leapSecond: true,
  zone: 'optional',
};

/** A text, the form that accepts it, and the strict text of the same instant. */
const DEPARTURES: readonly (readonly [string, TimestampForm, string])[] = [
  ['2026-01-31t12:00:00z', { lowerCase: true }, '2026-01-31T12:00:00Z'],
  ['2026-01-31 12:00:00Z', { blankForT: true }, '2026-01-31T12:00:00Z'],
  ['2026-01-31T12:00:00 01:30', { blankForPlus: true }, '2026-01-31T10:30:00Z'],
  ['2026-01-31T12:00:00,25Z', { comma: true }, '2026-01-31T12:00:00.25Z'],
  ['2026-01-31T12:00:00-0130', { offsetWithoutColon: true }, '2026-01-31T13:30:00Z'],
  ['2026-01-31T23:59:60Z', { leapSecond: true }, '2026-02-01T00:00:00Z'],
  ['2026-01-31T12:00:00.5', { zone: 'optional' }, '2026-01-31T12:00:00.5Z'],
];

/** Wrong in every form. */
const REFUSED = [
  '',
  'now',
  '2026-01-31',
  '2026-01-31T12:00Z',
  '2026-01-31T12:00:00.Z',
  '2026-01-31T12:00:00.1234567890Z',
  '2026-01-31T12:00:00+1:00',
  '2026-01-31T12:00:00+24:00',
  '2026-01-31T12:00:00+01:60',
  '2026-01-31T12:00:00+01:00Z',
  '2026-02-29T12:00:00Z',
  '1900-02-29T12:00:00Z',
  '2026-04-31T12:00:00Z',
  '2026-00-10T12:00:00Z',
  '2026-13-10T12:00:00Z',
  '2026-01-00T12:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:60:00Z',
  '2026-01-31T12:00:61Z',
  '+02026-01-31T12:00:00Z',
  ' 2026-01-31T12:00:00Z',
  '2026-01-31T12:00:00Z\n',
  '\u0662026-01-31T12:00:00Z',
];

const YEAR_0 = -62_167_219_200_000;
const instant = fc.integer({ min: YEAR_0, max: YEAR_10000 * 1_000 - 1 });

describe('parseTimestamp', () => {
  it('reads what Date writes', () => {
    fc.assert(
      fc.property(instant, (value) => {
        const parsed = parseTimestamp(new Date(value).toISOString(), {});
        assert.ok(parsed);
        assert.equal(toInstant(parsed), value);
        assert.equal(parsed.nanos, (((value % 1_000) + 1_000) % 1_000) * 1_000_000);
      }),
    );
  });

  it('agrees with Date about which days exist, and about offsets', () => {
    const part = (max: number) => fc.integer({ min: 0, max });
    const sign = fc.constantFrom('+', '-');
    fc.assert(
      fc.property(part(9_999), part(13), part(32), part(23), sign, part(23), part(59), (...parts) => {
        const [year, month, day, hour, sign, offsetHour, offsetMinute] = parts;
        const two = (value: number) => String(value).padStart(2, '0');
        const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
        const text = `${date}T${two(hour)}:00:00${sign}${two(offsetHour)}:${two(offsetMinute)}`;
        const midnight = new Date(`${date}T00:00:00Z`);
        const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
        assert.equal(parseTimestamp(text, {})?.seconds, exists ? Date.parse(text) / 1_000 : undefined, text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps nanoseconds, which count forward before 1970 as well', () => {
    assert.deepEqual(parseTimestamp('1969-12-31T23:59:59.000000001Z', {}), { seconds: -1, nanos: 1 });
    assert.deepEqual(parseTimestamp('1970-01-01T00:00:00.123456789Z', {}), {
      seconds: 0,
      nanos: 123_456_789,
    });
  });

  for (const [text, form, strict] of DEPARTURES) {
    it(`accepts ${text} only where the form allows it`, () => {
      const expected = parseTimestamp(strict, {});
      assert.ok(expected);
      assert.equal(parseTimestamp(text, {}), undefined);
      assert.deepEqual(parseTimestamp(text, form), expected);
      assert.deepEqual(parseTimestamp(text, EVERYTHING), expected);
    });
  }

  it('can demand UTC written as Z', () => {
    assert.deepEqual(parseTimestamp('1970-01-01T00:00:01Z', { zone: 'utc' }), { seconds: 1, nanos: 0 });
    assert.equal(parseTimestamp('1970-01-01T00:00:01+00:00', { zone: 'utc' }), undefined);
    assert.equal(parseTimestamp('1970-01-01T00:00:01', { zone: 'utc' }), undefined);
  });

  it('refuses everything else in every form', () => {
    for (const text of REFUSED)
      assert.equal(parseTimestamp(text, EVERYTHING), undefined, JSON.stringify(text));
  });
});
