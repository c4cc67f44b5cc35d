// The clock of a thread over machine clocks that the test moves, and stored times in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '../domain/instant.ts';
import { acceptMachine, firstTimes, type ServiceTimes, STEP_TOLERANCE } from '../domain/service-times.ts';
import type { Stores, WriteTransaction } from '../store/stores.ts';
import { openClock } from './clock.ts';

const NOW = Date.UTC(2026, 10, 20);

/** A machine whose clocks go on by `pass`, and a store of times. */
function machine(stored?: ServiceTimes) {
  const state = { now: NOW, monotonic: 0, suspended: 0, stored, latest: 0 };
  const tx: Partial<WriteTransaction> = {
    times: async () => state.stored,
    saveTimes: async (times) => {
      state.stored = times;
    },
    hastenJobs: async (latest) => {
      state.latest = latest;
      return 0;
    },
  };
  const stores: Pick<Stores, 'times' | 'write'> = {
    times: async () => state.stored,
    write: (work) => work(tx as WriteTransaction),
  };
  const pass = (ms: number) => {
    state.now += ms;
    state.monotonic += ms;
  };
  const clocks = {
    now: () => state.now,
    monotonic: () => state.monotonic,
    suspended: () => state.suspended,
  };
  return { state, pass, open: () => openClock(stores, clocks) };
}

test('small steps add up: the clock may gain five minutes in an hour', async () => {
  const { state, pass, open } = machine();
  const clock = await open();
  for (let step = 0; step < 10; step++) {
    pass(MINUTE);
    state.now += MINUTE;
    clock.service();
  }
  assert.equal(clock.report().state, 'ahead');
  assert.ok(clock.service() <= NOW + 10 * MINUTE + STEP_TOLERANCE);
});

test('an hour later it may gain as much again', async () => {
  const { state, pass, open } = machine();
  const clock = await open();
  for (let step = 0; step < 6; step++) {
    state.now += STEP_TOLERANCE;
    assert.equal(clock.service(), state.now);
    pass(HOUR);
    clock.service();
  }
  assert.equal(clock.report().state, 'steady');
});

test('a machine that was suspended has not stepped', async () => {
  const { state, pass, open } = machine();
  const clock = await open();
  pass(MINUTE);
  state.now += 3 * DAY;
  state.suspended += 3 * DAY;
  assert.deepEqual([clock.service(), clock.report().state], [state.now, 'steady']);
  pass(MINUTE);
  state.now += DAY;
  clock.service();
  assert.equal(clock.report().state, 'ahead', 'it slept once only');
});

test('a clock that was behind for long is followed when it is right again', async () => {
  const { state, pass, open } = machine();
  const clock = await open();
  state.now -= DAY;
  for (let hour = 0; hour < 24; hour++) {
    pass(HOUR);
    assert.equal(clock.report().state, 'behind');
  }
  assert.equal(clock.service(), NOW + DAY / 2);
  state.now += DAY;
  assert.deepEqual([clock.service(), clock.report().state], [NOW + DAY, 'steady']);
});

test('an event of the later of both times is not of the future', async () => {
  const { state, pass, open } = machine();
  const clock = await open();
  state.now += 100 * DAY;
  assert.deepEqual([clock.observed(), clock.service()], [NOW + 100 * DAY, NOW]);
  pass(MINUTE);
  state.now = NOW - DAY;
  assert.equal(clock.observed(), clock.service());
});

test('the times are stored whole, and the next process begins with them', async () => {
  const { state, open } = machine();
  const clock = await open();
  assert.equal(clock.storedExpiry, Number.NEGATIVE_INFINITY);
  state.monotonic += 1_000.7;
  state.now = NOW - DAY;
  await clock.save();
  assert.deepEqual(state.stored, { generation: 0, expiry: NOW + 500, service: NOW + 500, memory: NOW + 500 });
  assert.equal(clock.storedExpiry, NOW + 500);
  assert.equal((await open()).expiry(), NOW + 500);
  // No job waits beyond that for a time that the operator has taken back.
  assert.equal(state.latest, NOW + 500 + HOUR);
});

test('an acceptance by the operator reaches a running clock, which does not undo it', async () => {
  const { state, pass, open } = machine(firstTimes(NOW + DAY));
  const clock = await open();
  assert.equal(clock.report().state, 'behind');
  state.stored = acceptMachine(firstTimes(NOW + DAY), NOW);
  pass(SECOND);
  await clock.save();
  assert.deepEqual([state.stored.generation, state.stored.service], [1, NOW]);
  pass(SECOND);
  assert.deepEqual([clock.expiry(), clock.service(), clock.report().state], [state.now, state.now, 'steady']);
});
