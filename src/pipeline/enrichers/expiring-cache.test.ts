import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExpiringCache } from './expiring-cache.ts';

test('entries are there until their time, and the oldest goes when there are too many', () => {
  let now = 0;
  const cache = createExpiringCache<string>(2, () => now);
  cache.set('a', 'A', 10);
  cache.set('b', 'B', 20);
  now = 9;
  assert.equal(cache.get('a'), 'A');
  now = 10;
  assert.equal(cache.get('a'), undefined);
  cache.set('a', 'A2', 99);
  cache.set('c', 'C', 99);
  assert.deepEqual(['a', 'b', 'c'].map(cache.get), ['A2', undefined, 'C']);
  cache.set('a', 'A3', 99);
  cache.set('d', 'D', 99);
  assert.deepEqual(['a', 'c', 'd'].map(cache.get), ['A3', undefined, 'D'], 'set again counts as new');
});
