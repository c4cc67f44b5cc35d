// Quantiles against hand-made lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, quantile, spread } from './quantiles.ts';

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

test('the spread is the range as a share of the median', () => {
  assert.equal(spread([8, 10, 12]), 0.4);
  assert.equal(spread([10]), 0);
  assert.equal(spread([0, 0]), 0);
});
