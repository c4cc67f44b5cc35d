// CPU time by thread.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThreadTimes, timeEach, totalOf } from './thread-time.ts';

test('the time of each request is the difference of two readings', () => {
  const before = new Map([['main', 1_000]]);
  const after = new Map([
    ['main', 3_000],
    ['pipeline', 500],
  ]);
  const times = timeEach(before, after, 100);
  assert.deepEqual(
    [...times],
    [
      ['main', 20],
      ['pipeline', 5],
    ],
  );
  assert.equal(totalOf(times), 25);
});

test('a process without threads to see has no times', () => {
  assert.deepEqual([...readThreadTimes(-1)], []);
});

test('the system tells the time of this thread', { skip: process.platform !== 'linux' }, () => {
  assert.ok((readThreadTimes(process.pid).get('main') ?? 0) > 0);
});
