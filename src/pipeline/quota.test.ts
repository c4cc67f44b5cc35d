import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Growth } from '../domain/indicator/growth.ts';
import { createAllowance, type QuotaLimits } from './quota.ts';

const NOTHING: Growth = { values: 0, bytes: 0 };
const A_VALUE: Growth = { values: 1, bytes: 1_000 };
const A_VERSION: Growth = { values: 0, bytes: 1_000 };
const A_REPEAT: Growth = { values: 0, bytes: 1 };

const LIMITS: QuotaLimits = {
  each: { values: 100, bytes: 1_000_000 },
  all: { values: 4_000, bytes: 4_000_000_000 },
};

/** How many of these events are taken. */
function takenOf(growth: Growth, own: Growth, all: Growth, limits = LIMITS): number {
  const allowance = createAllowance({ own, all }, limits);
  let taken = 0;
  while (taken < 10_000 && allowance.take(growth) === undefined) taken += 1;
  assert.deepEqual(allowance.taken, { values: taken * growth.values, bytes: taken * growth.bytes });
  return taken;
}

test('a reporter adds as many values as its bound, over all batches of a day', () => {
  assert.equal(takenOf(A_VALUE, NOTHING, NOTHING), 100);
  assert.equal(takenOf(A_VALUE, { values: 70, bytes: 0 }, { values: 70, bytes: 0 }), 30);
  const full = createAllowance({ own: { values: 100, bytes: 0 }, all: NOTHING }, LIMITS);
  assert.equal(full.take(A_VALUE), 'NEW_VALUE_QUOTA');
  assert.equal(full.take(A_VERSION), undefined);
  assert.equal(full.take(A_REPEAT), undefined);
});

test('a reporter adds as many bytes as its bound, and repeats up to twice as many', () => {
  const used = { values: 0, bytes: 997_500 };
  assert.equal(takenOf(A_VERSION, used, used), 2);
  const full = createAllowance({ own: { values: 0, bytes: 1_000_000 }, all: NOTHING }, LIMITS);
  assert.equal(full.take(A_VALUE), 'STORED_BYTES_QUOTA');
  assert.equal(full.take(A_VERSION), 'STORED_BYTES_QUOTA');
  assert.equal(full.take(A_REPEAT), undefined);
  const over = createAllowance({ own: { values: 0, bytes: 2_000_000 }, all: NOTHING }, LIMITS);
  assert.equal(over.take(A_REPEAT), 'STORED_BYTES_QUOTA');
});

test('the last quarter of the bound for all is for reporters that have added little', () => {
  const flooded = { values: 3_000, bytes: 0 };
  const big = createAllowance({ own: { values: 50, bytes: 0 }, all: flooded }, LIMITS);
  assert.equal(big.take(A_VALUE), 'TOTAL_QUOTA');
  assert.equal(big.take(A_REPEAT), undefined);
  // A thousandth of 4,000.
  assert.equal(takenOf(A_VALUE, NOTHING, flooded), 4);
  assert.equal(takenOf(A_VALUE, NOTHING, { values: 4_000, bytes: 0 }), 0);
});

test('however reporters flood, no bound is passed, and the first small ones after them find room', () => {
  const flood = fc.array(fc.nat({ max: 150 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(flood, (floods) => {
      let all = NOTHING;
      for (const wanted of floods) {
        const allowance = createAllowance({ own: NOTHING, all }, LIMITS);
        for (let sent = 0; sent < wanted; sent += 1) allowance.take(A_VALUE);
        const { values, bytes } = allowance.taken;
        assert.ok(values <= LIMITS.each.values);
        all = { values: all.values + values, bytes: all.bytes + bytes };
      }
      assert.ok(all.values <= LIMITS.all.values);
      assert.ok(takenOf(A_VALUE, NOTHING, all) >= 4);
    }),
  );
});
