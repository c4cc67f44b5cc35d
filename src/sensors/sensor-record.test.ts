import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordTime } from './sensor-record.ts';

test('the forms that loggers write are read, and without a zone they are UTC', () => {
  const expected = Date.UTC(2026, 2, 2, 6, 14, 21, 37);
  for (const text of [
    '2026-03-02 06:14:21,037',
    '2026-03-02T06:14:21.037',
    '2026-03-02T06:14:21.037999',
    '2026-03-02T06:14:21.037000000Z',
    '2026-03-02t06:14:21.037z',
    '2026-03-02T06:14:21.037+00:00',
    '2026-03-02T07:14:21.037+01:00',
    '2026-03-02T01:44:21.037-0430',
  ]) {
    assert.equal(recordTime(text), expected, text);
  }
  assert.equal(recordTime('2026-03-02T06:14:21'), Date.UTC(2026, 2, 2, 6, 14, 21));
  assert.equal(recordTime('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29));
});

test('what is no time is refused, not rolled over', () => {
  for (const text of [
    '',
    'XXXXXXXXXX.XXXXXX',
    '1556000000',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '0000-01-01T00:00:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:00Z',
    '2026-01-01',
    ' 2026-01-01T00:00:00Z',
  ]) {
    assert.equal(recordTime(text), undefined, text);
  }
});

test('what Date writes is read back', () => {
  const instant = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(fc.property(instant, (date) => recordTime(date.toISOString()) === date.getTime()));
});
