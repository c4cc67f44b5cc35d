// Quantiles against hand-made lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, quantile, relativeError } from './quantiles.ts';

const HUNDRED = Array.from({ length: 100 }, (_, index) => 100 - index);

test('a quantile is the smallest value that enough values do not exceed', () => {
  assert.equal(quantile(HUNDRED, 0.5), 50);
  assert.equal(quantile(HUNDRED, 0.99), 99);
  assert.equal(quantile(HUNDRED, 1), 100);
  assert.equal(quantile([7], 0.99), 7);
  assert.equal(quantile([], 0.5), Number.NaN);
});

test('the median of an even number of values is the mean of the middle two', () => {
  assert.equal(median([4, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([5]), 5);
  assert.equal(median([]), Number.NaN);
});

test('the relative error falls with the root of the number of rounds', () => {
  // A standard deviation of 2 at a mean of 10.
  assert.ok(isClose(relativeError([8, 10, 12]), 0.2 / Math.sqrt(3)));
  // The same values four times: the deviation is 2 * sqrt(8 / 11).
  const twelve = Array.from({ length: 12 }, (_, index) => 8 + 2 * (index % 3));
  assert.ok(isClose(relativeError(twelve), (0.2 * Math.sqrt(8 / 11)) / Math.sqrt(12)));
});

function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) < 1e-9;
}

test('a single round and equal rounds have no error', () => {
  assert.deepEqual([relativeError([10]), relativeError([0, 0])], [0, 0]);
});
