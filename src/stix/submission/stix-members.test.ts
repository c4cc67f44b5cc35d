// Timestamps of submitted objects: one form, with all digits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStixTime } from './stix-members.ts';

const exact = (text: string): string => parseStixTime(text)?.exact ?? assert.fail(text);

test('milliseconds are rounded down, and nothing finer is lost', () => {
  assert.equal(parseStixTime('2026-03-01T12:00:00.1239Z')?.millis, Date.UTC(2026, 2, 1, 12, 0, 0, 123));
  assert.notEqual(exact('2026-03-01T12:00:00.000001Z'), exact('2026-03-01T12:00:00.000002Z'));
  assert.equal(exact('2026-03-01T12:00:00Z'), exact('2026-03-01T12:00:00.000000Z'));
  assert.equal(exact('2026-03-01T12:00:00.1Z'), exact('2026-03-01T12:00:00.100Z'));
});

test('the exact form is ordered as time is', () => {
  const inOrder = [
    '1999-12-31T23:59:59.999999999Z',
    '2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00.000001Z',
    '2026-03-01T12:00:00.05Z',
    '2026-03-01T12:00:00.5Z',
    '2026-03-01T12:00:00.51Z',
    '2026-03-01T12:00:01Z',
  ].map(exact);
  assert.deepEqual([...inOrder].sort(), inOrder);
});

test('every other form is refused', () => {
  for (const text of [
    '',
    'now',
    '2026-03-01',
    '2026-03-01t12:00:00Z',
    '2026-03-01T12:00:00z',
    '2026-03-01 12:00:00Z',
    '2026-03-01T12:00:00',
    '2026-03-01T12:00:00+00:00',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00.1234567890Z',
    '2026-02-29T12:00:00Z',
    '2026-03-01T24:00:00Z',
    ' 2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00Z\n',
  ]) {
    assert.equal(parseStixTime(text), undefined, text);
  }
});
