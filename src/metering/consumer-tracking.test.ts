// Which habits of feed clients count as mistakes, and how often a consumer is stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../domain/instant.ts';
import { createConsumerTracking } from './consumer-tracking.ts';
import type { FeedPoll } from './feed-polls.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const MICROS = 1_000;

const POLL: FeedPoll = {
  account: 'plant',
  credential: 'k1',
  collection: 'c',
  at: NOW,
  agent: 'client/1',
  addedAfter: NOW * MICROS,
  position: NOW * MICROS,
  isEmpty: false,
  more: false,
};

/** The mistakes in a sequence of polls, a minute apart. */
function mistakesIn(...polls: readonly Partial<FeedPoll>[]): Record<string, number> {
  const tracking = createConsumerTracking();
  const { addedAfter: _, ...bare } = POLL;
  tracking.add(polls.map((poll, index) => ({ ...bare, at: NOW + index * MINUTE, ...poll })));
  const [consumer] = tracking.due(NOW + 3 * DAY);
  assert.equal(consumer?.polls, polls.length);
  return Object.fromEntries(Object.entries(consumer.mistakes).map(([name, { count }]) => [name, count]));
}

const at = (hours: number) => (NOW + hours * HOUR) * MICROS;

test('a client that pages as it should makes no mistake', () => {
  assert.deepEqual(
    mistakesIn(
      { position: at(1), more: true },
      { next: 'a', position: at(2), more: true },
      { next: 'b', position: at(3) },
      { addedAfter: at(3), position: at(3), isEmpty: true },
      { addedAfter: at(3), position: at(3), isEmpty: true },
      { addedAfter: at(3), position: at(3), isEmpty: true },
      { addedAfter: at(2.5), position: at(4) },
    ),
    {},
  );
});

test('each mistake is counted when it happens', () => {
  const again = { addedAfter: at(1), position: at(2), more: true };
  assert.deepEqual(mistakesIn(again, again, again, again), { SAME_PAGE_AGAIN: 2 });
  const start = { position: at(2), more: true };
  assert.deepEqual(mistakesIn(start, start, start), { FROM_THE_START: 1 });
  assert.deepEqual(mistakesIn(start, { ...start, at: NOW + DAY }, { ...start, at: NOW + 2 * DAY - 1 }), {});
  assert.deepEqual(mistakesIn({ addedAfter: at(5), position: at(6) }, { addedAfter: at(1) }), {
    STEPPED_BACK: 1,
  });
  assert.deepEqual(
    mistakesIn({ addedAfter: at(1), position: at(2), more: true }, { addedAfter: at(9), position: at(9) }),
    { SKIPPED_PAGES: 1 },
  );
  assert.deepEqual(mistakesIn({ limit: 9_000 }, { next: 'a', limit: 9_000 }), { LIMIT_TOO_LARGE: 1 });
});

test('polls of several threads are put in order, and a consumer is stored once a minute', () => {
  const tracking = createConsumerTracking();
  tracking.add([{ ...POLL, at: NOW + 500, position: at(3), next: 'b' }]);
  tracking.add([{ ...POLL, at: NOW, position: at(2), more: true }]);
  assert.deepEqual(tracking.due(NOW + 1_000), [], 'others may still come');
  assert.equal(tracking.due(NOW + 3_000)[0]?.position, at(3));
  tracking.add([{ ...POLL, at: NOW + 4_000, addedAfter: at(3), position: at(4) }]);
  assert.deepEqual(tracking.due(NOW + 30_000), []);
  const [later] = tracking.due(NOW + 3_000 + MINUTE);
  assert.deepEqual([later?.position, later?.polls, later?.mistakes], [at(4), 1, {}]);
  assert.deepEqual(tracking.due(NOW + HOUR), [], 'nothing new');
  tracking.add([{ ...POLL, at: NOW + HOUR, credential: 'k2' }]);
  assert.equal(tracking.due(NOW + HOUR, true)[0]?.credential, 'k2');
});
