import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createWorkTurns } from './work-turns.ts';

/** Work that ends when it is told to, in the order in which it began. */
function bench(limit: number) {
  const turns = createWorkTurns(limit);
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const results: Promise<unknown>[] = [];
  return {
    begun,
    results,
    send: (caller: string, bytes: number, onGone: (gone: () => void) => void = () => {}) => {
      const work = () => {
        begun.push(`${caller}${bytes}`);
        return new Promise<void>((resolve) => running.push(resolve));
      };
      results.push(turns.run({ caller, bytes, onGone }, work));
    },
    finish: async () => {
      running.shift()?.();
      await turn();
    },
  };
}

test('callers take turns, however many bodies of one wait', async () => {
  const { begun, send, finish } = bench(10);
  for (let count = 0; count < 4; count++) send('a', 6);
  send('b', 3);
  send('b', 3);
  await turn();
  // One caller gets half, so the second body of b waits for the first.
  assert.deepEqual(begun, ['a6', 'b3']);
  await finish();
  await finish();
  assert.deepEqual(begun, ['a6', 'b3', 'a6', 'b3']);
  send('c', 1);
  await finish();
  assert.deepEqual(begun, ['a6', 'b3', 'a6', 'b3', 'c1', 'a6']);
});

test('a body above the limit has its turn alone', async () => {
  const { begun, send, finish } = bench(10);
  send('a', 25);
  send('b', 1);
  await turn();
  assert.deepEqual(begun, ['a25']);
  await finish();
  assert.deepEqual(begun, ['a25', 'b1']);
});

test('the body of a client that has gone is not worked on', async () => {
  const { begun, results, send, finish } = bench(10);
  let leave = () => {};
  send('a', 9);
  send('b', 9, (gone) => {
    leave = gone;
  });
  send('c', 9);
  await turn();
  leave();
  await assert.rejects(results[1] ?? Promise.resolve(), { code: 'aborted' });
  await finish();
  assert.deepEqual(begun, ['a9', 'c9']);
});

test('work that fails gives its turn to the next', async () => {
  const turns = createWorkTurns(1);
  const failing = turns.run({ caller: 'a', bytes: 1, onGone: () => {} }, () =>
    Promise.reject(new Error('no')),
  );
  const next = turns.run({ caller: 'a', bytes: 1, onGone: () => {} }, async () => 'done');
  await assert.rejects(failing);
  assert.equal(await next, 'done');
});
