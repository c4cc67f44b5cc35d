import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitConcurrency } from './concurrency-limit.ts';

test('at most the limit runs at a time, in order, and a failed call frees its place', async () => {
  const run = limitConcurrency(3);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, place) =>
      run(async () => {
        started.push(place);
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        if (place % 4 === 0) throw new Error('failed');
        return place;
      }),
    ),
  );
  assert.equal(most, 3);
  assert.deepEqual(
    started,
    [...started].sort((a, b) => a - b),
  );
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 5);
  assert.equal(await run(async () => 'free'), 'free');
});
