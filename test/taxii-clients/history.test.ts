// The comparison finds each fault that is planted in a history.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, type LogEntry, logFaults, type Version } from './history.ts';

const entry = (id: string, second: number): LogEntry => ({
  id,
  version: `2026-01-01T00:00:0${second}.000Z`,
  digest: `${id}${second}`,
  dateAdded: `2026-01-01T00:00:0${second}.000000Z`,
});
const [A1, B2, A3, C4] = [entry('a', 1), entry('b', 2), entry('a', 3), entry('c', 4)];
const LOG = [A1, B2, A3, C4];

const correct = (...versions: readonly Version[]) => judge(LOG, { client: 'x', isCorrect: true, versions });
const careless = (...versions: readonly Version[]) => judge(LOG, { client: 'x', isCorrect: false, versions });

test('a correct client has every version once, in the order of the log', () => {
  assert.deepEqual(correct(...LOG), { client: 'x', read: 4, lost: 0, repeated: 0, faults: [] });
  assert.deepEqual(correct(A1, B2, C4).lost, 1);
  assert.match(correct(A1, B2, C4).faults.join(), /^a of .*03.000Z, added at .*, was not read$/);
  assert.match(correct(...LOG, C4).faults.join(), /^c of .* was read twice$/);
  assert.equal(correct(...LOG, C4).repeated, 1);
  assert.match(correct(A1, A3, B2, C4).faults.join(), /^a of .*03.000Z was read out of order$/);
  assert.match(correct(...LOG, entry('d', 5)).faults.join(), /^d of .* is not in the log$/);
  assert.match(correct(A1, { ...B2, digest: '?' }, A3, C4).faults.join(), /^b of .* with another content$/);
});

test('a version that was hidden after it was read is no fault, once', () => {
  const hidden = entry('d', 5);
  const judged = (...versions: readonly Version[]) =>
    judge(LOG, { client: 'x', isCorrect: true, versions, wasHidden: ({ id }) => id === 'd' }).faults.join();
  assert.equal(judged(A1, hidden, B2, A3, C4), '');
  assert.match(judged(A1, hidden, B2, A3, hidden, C4), /^d of .* was read twice$/);
  assert.match(judged(A1, hidden, A3, B2, C4), /^a of .*03.000Z was read out of order$/);
});

test('a careless client has the last version of every object', () => {
  assert.deepEqual(careless(A3, A3, C4, B2, entry('d', 0)), {
    client: 'x',
    read: 5,
    lost: 0,
    repeated: 1,
    faults: [],
  });
  assert.match(careless(A1, B2, C4).faults.join(), /^a of .*03.000Z, added at .*, was not read$/);
  assert.equal(careless(A1, B2, C4).lost, 1);
  assert.match(careless({ ...A3, digest: '?' }, B2, C4).faults.join(), /^a of .* with another content$/);
});

test('the log ascends, has each version once and everything that was acknowledged', () => {
  assert.deepEqual(logFaults(LOG, ['a', 'c']), []);
  assert.match(logFaults([B2, A1], []).join(), /^a of .* was added at .*, not after/);
  assert.match(logFaults([A1, { ...B2, dateAdded: A1.dateAdded }], []).join(), /^b of .* not after/);
  assert.match(logFaults([{ ...A3, dateAdded: A1.dateAdded }], []).join(), /before it was made$/);
  assert.match(logFaults([A1, { ...A1, dateAdded: B2.dateAdded }], []).join(), /is in the log twice$/);
  assert.deepEqual(logFaults(LOG, ['d']), ['d was acknowledged and is not in the log']);
});
