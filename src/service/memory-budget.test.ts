import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryShares } from './memory-budget.ts';

const MEBIBYTE = 1_048_576;

test('the shares are parts of what the idle service leaves', () => {
  const { bodies, work, answers } = memoryShares(1_024 * MEBIBYTE, 224 * MEBIBYTE);
  assert.deepEqual([bodies, work, answers], [160 * MEBIBYTE, 16 * MEBIBYTE, 160 * MEBIBYTE]);
});

test('a budget that is too small is refused with the smallest that works', () => {
  const message =
    'TIS_MEMORY_BUDGET: 512MiB is too small, because the idle service takes 224 MiB; the smallest value that works is 576MiB';
  assert.throws(() => memoryShares(512 * MEBIBYTE, 224 * MEBIBYTE), { message });
  memoryShares(576 * MEBIBYTE, 224 * MEBIBYTE);
});
