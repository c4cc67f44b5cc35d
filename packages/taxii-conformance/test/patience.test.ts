// How long the suite waits for a server that answers 429 or 503.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Answer } from '../src/answer.ts';
import { Patience, ToldToWait } from '../src/patience.ts';

function answerOf(status: number, retryAfter?: string): Answer {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return new Answer('GET /', status, headers, Buffer.alloc(0));
}

/** Does not wait, and records the seconds of each wait. */
function patienceOf(seconds: number) {
  const waits: number[] = [];
  const patience = new Patience(seconds, async (ms) => waits.push(ms / 1_000));
  return { patience, waits };
}

test('it waits as long as it is told, a second at least, and longer each time', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
  for (const [answers, expected] of [
    [[answerOf(429, '5')], [5]],
    [[answerOf(503, '5')], [5]],
    [[answerOf(429, '1.5')], [1.5]],
    [[answerOf(429, '0')], [1]],
    [[answerOf(429)], [1]],
    [[answerOf(503, 'soon')], [1]],
    [[answerOf(429, 'Thu, 01 Jan 2026 00:00:30 GMT')], [30]],
    [[answerOf(429, 'Thu, 01 Jan 1970 00:00:30 GMT')], [1]],
    [
      [answerOf(429), answerOf(429, '1'), answerOf(503, '0'), answerOf(429, '30')],
      [1, 2, 4, 30],
    ],
  ] as const) {
    const { patience, waits } = patienceOf(60);
    for (const [at, answer] of answers.entries()) assert.equal(await patience.waitedFor(answer, at), true);
    assert.deepEqual(waits, expected);
  }
});

test('no other answer is waited for', async () => {
  const { patience, waits } = patienceOf(60);
  for (const answer of [answerOf(200, '5'), answerOf(301, '5'), answerOf(500, '5'), answerOf(503)])
    assert.equal(await patience.waitedFor(answer, 0), false);
  assert.deepEqual(waits, []);
});

test('there is so much time for all requests, and a server that wants more ends it', async () => {
  const { patience, waits } = patienceOf(60);
  for (const seconds of ['20', '30', '8']) await patience.waitedFor(answerOf(429, seconds), 0);
  for (const [answer, expected] of [
    [answerOf(429, '3'), /^Error: GET \/: 429 with Retry-After: 3, and only 2 s are left for waiting$/],
    [answerOf(503, '3600'), /^Error: GET \/: 503 with Retry-After: 3600, and only 2 s are left for waiting$/],
  ] as const) {
    await assert.rejects(patience.waitedFor(answer, 0), expected);
    await assert.rejects(patience.waitedFor(answer, 0), ToldToWait);
  }
  assert.equal(await patience.waitedFor(answerOf(429, '2'), 0), true);
  assert.deepEqual(waits, [20, 30, 8, 2]);
});

test('a server that never has time is asked a few times, and not each second', async () => {
  const { patience, waits } = patienceOf(60);
  const askFor = async () => {
    for (let at = 0; await patience.waitedFor(answerOf(429), at); at++);
  };
  await assert.rejects(askFor, /: 429 without Retry-After, and only 29 s are left for waiting$/);
  assert.deepEqual(waits, [1, 2, 4, 8, 16]);
});
