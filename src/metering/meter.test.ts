import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../domain/errors.ts';
import { HOUR } from '../domain/instant.ts';
import type { Usage } from '../store/usage.ts';
import { createMeter } from './meter.ts';

const NOW = Date.UTC(2026, 10, 20, 10, 30);

const NO_LOOKUPS = { lookups: 0, lookupRequests: 0 };

const use = (credential: string, returned: number, account = 'default') => ({
  account,
  credential,
  searches: 1,
  returned,
});

test('the uses of one turn are written together, added up by credential', async () => {
  const written: (readonly Usage[])[] = [];
  const meter = createMeter(
    async (uses) => void written.push(uses),
    () => NOW,
  );
  await Promise.all([
    meter.record(use('a', 3)),
    meter.record(use('b', 5)),
    meter.record(use('a', 0)),
    meter.record(use('a', 7, 'plant')),
  ]);
  await meter.record(use('a', 1));
  assert.deepEqual(written, [
    [
      { account: 'default', credential: 'a', at: NOW, ...NO_LOOKUPS, searches: 2, returned: 3 },
      { account: 'default', credential: 'b', at: NOW, ...NO_LOOKUPS, searches: 1, returned: 5 },
      { account: 'plant', credential: 'a', at: NOW, ...NO_LOOKUPS, searches: 1, returned: 7 },
    ],
    [{ account: 'default', credential: 'a', at: NOW, ...NO_LOOKUPS, searches: 1, returned: 1 }],
  ]);
});

test('lookups are counted apart from searches', async () => {
  const written: Usage[] = [];
  const meter = createMeter(
    async (uses) => void written.push(...uses),
    () => NOW,
  );
  const lookup = { account: 'default', credential: 'a', lookups: 40, lookupRequests: 1 };
  await Promise.all([meter.record(lookup), meter.record(use('a', 3)), meter.record(lookup)]);
  assert.deepEqual(written, [
    {
      account: 'default',
      credential: 'a',
      at: NOW,
      searches: 1,
      returned: 3,
      lookups: 80,
      lookupRequests: 2,
    },
  ]);
});

test('searches on the two sides of a full hour are not added up', async () => {
  const written: Usage[] = [];
  const instants = [NOW, NOW + HOUR, NOW + 1];
  const meter = createMeter(
    async (uses) => void written.push(...uses),
    () => instants.shift() ?? NOW,
  );
  await Promise.all([1, 2, 3].map((returned) => meter.record(use('a', returned))));
  assert.deepEqual(
    written.map(({ at, searches, returned }) => [at, searches, returned]),
    [
      [NOW + 1, 2, 4],
      [NOW + HOUR, 1, 2],
    ],
  );
});

test('a use is noted only once its write is done, while later ones are under way already', async () => {
  const finish: (() => void)[] = [];
  const meter = createMeter(
    () => new Promise((resolve) => finish.push(resolve)),
    () => NOW,
  );
  const noted: string[] = [];
  const first = meter.record(use('a', 1)).then(() => noted.push('first'));
  await nextTurn();
  const second = meter.record(use('a', 1)).then(() => noted.push('second'));
  await nextTurn();
  assert.equal(finish.length, 2);
  assert.deepEqual(noted, []);
  finish[1]?.();
  await second;
  assert.deepEqual(noted, ['second']);
  finish[0]?.();
  await first;
});

test('while two writes are under way, the uses of all turns gather for the next one', async () => {
  const finish: (() => void)[] = [];
  const written: number[] = [];
  const meter = createMeter(
    (uses) => {
      written.push(uses.reduce((sum, { searches = 0 }) => sum + searches, 0));
      return new Promise((resolve) => finish.push(resolve));
    },
    () => NOW,
  );
  const recorded: Promise<void>[] = [];
  for (let turn = 0; turn < 5; turn++) {
    recorded.push(meter.record(use('a', 1)));
    await nextTurn();
  }
  assert.deepEqual(written, [1, 1]);
  finish[1]?.();
  await recorded[1];
  await nextTurn();
  assert.deepEqual(written, [1, 1, 3]);
  finish[0]?.();
  finish[2]?.();
  await Promise.all(recorded);
});

test('when a write fails, every use of its turn rejects, and the next is written', async () => {
  let broken = true;
  const meter = createMeter(
    async () => {
      if (broken) throw new ServiceError('unavailable', 'no', { reason: 'STORE_UNAVAILABLE' });
    },
    () => NOW,
  );
  const settled = await Promise.allSettled([meter.record(use('a', 1)), meter.record(use('b', 1))]);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  broken = false;
  await meter.record(use('a', 1));
});
