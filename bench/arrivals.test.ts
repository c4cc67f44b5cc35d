// The schedule of an open loop.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivals } from './arrivals.ts';

test('arrivals have a fixed distance, from the begin on', () => {
  const plan = arrivals(500, 2);
  assert.equal(plan.total, 1_000);
  assert.deepEqual([0, 1, 999].map(plan.at), [0, 2, 1_998]);
});

test('an arrival is due at its intended start, however late somebody looks', () => {
  const plan = arrivals(500, 2);
  assert.deepEqual([-1, 0, 1.9, 2, 1_997.9, 1_998, 60_000].map(plan.dueBy), [0, 1, 1, 2, 999, 1_000, 1_000]);
});

test('rates below one a second have arrivals too', () => {
  const plan = arrivals(0.5, 5);
  assert.equal(plan.total, 2);
  assert.deepEqual([0, 1_999, 2_000].map(plan.dueBy), [1, 1, 2]);
});
