import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterViolations, MATCH_ALL, REQUEST_FIELD_NAMES } from './filter.ts';

function fieldsAtFault(change: object): string[] {
  return filterViolations({ ...MATCH_ALL, ...change }).map(({ field }) => field);
}

test('a filter without fault has no violations', () => {
  for (const change of [
    {},
    { minConfidenceScore: 0 },
    { minConfidenceScore: 100 },
    { lastSeenWindow: { start: 1, end: 2 } },
    { lastSeenWindow: { start: 1, end: 1 } },
    { lastSeenWindow: { start: 1 }, createdWindow: { end: 1 } },
  ]) {
    assert.deepEqual(fieldsAtFault(change), []);
  }
});

test('confidence is a whole number from 0 to 100', () => {
  for (const minConfidenceScore of [-1, 101, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 4_294_967_295]) {
    assert.deepEqual(fieldsAtFault({ minConfidenceScore }), ['filter.minConfidenceScore']);
  }
});

test('every fault is named at once', () => {
  const reversed = { start: 2, end: 1 };
  assert.deepEqual(
    fieldsAtFault({ minConfidenceScore: 101, lastSeenWindow: reversed, createdWindow: reversed }),
    ['filter.minConfidenceScore', 'filter.lastSeenWindow', 'filter.createdAfter'],
  );
});

test('faults are reported under the names of whoever wrote the filter', () => {
  const names = { ...REQUEST_FIELD_NAMES, minConfidenceScore: 'filter.min_confidence' };
  const [violation] = filterViolations({ ...MATCH_ALL, minConfidenceScore: 101 }, names);
  assert.equal(violation?.field, 'filter.min_confidence');
});
