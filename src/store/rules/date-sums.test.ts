// Sums of dates: they tell sets of dates apart and do not depend on the order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addSums, NO_DATES, sumsOfDate } from './date-sums.ts';

const dates = fc.uniqueArray(fc.integer({ min: 1.7e15, max: 1.7e15 + 100_000 }), { maxLength: 20 });
const sumsOf = (all: readonly number[]) => all.map(sumsOfDate).reduce(addSums, NO_DATES);

test('the sums are those of the set of dates, below 2^32', () => {
  fc.assert(
    fc.property(dates, dates, (one, other) => {
      assert.deepEqual(sumsOf(one), sumsOf(one.toReversed()));
      for (const sum of sumsOf(one)) assert.ok(Number.isSafeInteger(sum) && sum >= 0 && sum < 2 ** 32);
      const same = [...one].sort().join() === [...other].sort().join();
      assert.equal(sumsOf(one).join() === sumsOf(other).join(), same);
    }),
  );
});

test('pages of the same plain sum differ in the other one', () => {
  const [first, second] = [sumsOf([1_000_001, 1_000_004]), sumsOf([1_000_002, 1_000_003])];
  assert.equal(first[0], second[0]);
  assert.notEqual(first[1], second[1]);
});
