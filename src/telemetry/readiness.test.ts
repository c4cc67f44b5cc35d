// Readiness and its checks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReadiness, type ReadinessParts } from './readiness.ts';

const NOW = Date.UTC(2026, 10, 20);
const ALIVE = { silentMs: 1_900, storeWritable: true };

function ask(parts: Partial<ReadinessParts> = {}) {
  return createReadiness({
    jobs: { nextDueAt: async () => undefined },
    threads: () => [ALIVE, ALIVE],
    damages: () => [],
    data: () => [],
    stopping: new AbortController().signal,
    backlogLimitSeconds: 300,
    clock: () => NOW,
    clockReport: () => ({ state: 'steady', machine: NOW, service: NOW, expiry: NOW }),
    ...parts,
  })();
}

const READY = {
  status: 'ready',
  backlogAgeSeconds: 0,
  backlogWithinLimit: true,
  storeReadable: true,
  storeWritable: true,
  storeIntact: true,
  pipelineAlive: true,
  clock: 'steady',
};

test('ready with an empty queue, with jobs that are not due, and with a backlog up to the limit', async () => {
  assert.deepEqual(await ask(), READY);
  assert.deepEqual(await ask({ jobs: { nextDueAt: async () => NOW + 60_000 } }), READY);
  assert.deepEqual(await ask({ jobs: { nextDueAt: async () => NOW - 300_000 } }), {
    ...READY,
    backlogAgeSeconds: 300,
  });
});

test('unready with a backlog beyond the limit', async () => {
  assert.deepEqual(await ask({ jobs: { nextDueAt: async () => NOW - 300_001 } }), {
    ...READY,
    status: 'unready',
    backlogAgeSeconds: 300.001,
    backlogWithinLimit: false,
  });
});

test('unready if the store cannot be read', async () => {
  const { backlogAgeSeconds: _, ...rest } = READY;
  const nextDueAt = () => Promise.reject(new Error('gone'));
  assert.deepEqual(await ask({ jobs: { nextDueAt } }), {
    ...rest,
    status: 'unready',
    storeReadable: false,
    backlogWithinLimit: false,
  });
});

test('unready if a thread cannot write or sends no heartbeat', async () => {
  assert.deepEqual(await ask({ threads: () => [ALIVE, { ...ALIVE, storeWritable: false }] }), {
    ...READY,
    status: 'unready',
    storeWritable: false,
  });
  assert.deepEqual(await ask({ threads: () => [{ ...ALIVE, silentMs: 15_001 }, ALIVE] }), {
    ...READY,
    status: 'unready',
    pipelineAlive: false,
  });
});

test('ready with a clock that stepped, and how far it is off', async () => {
  const day = 86_400_000;
  const ahead = { state: 'ahead', machine: NOW + day, service: NOW, expiry: NOW + day } as const;
  assert.deepEqual(await ask({ clockReport: () => ahead }), {
    ...READY,
    clock: 'ahead',
    clockOffsetSeconds: 86_400,
  });
  const behind = { state: 'behind', machine: NOW, service: NOW, expiry: NOW + day } as const;
  assert.deepEqual(await ask({ clockReport: () => behind }), {
    ...READY,
    clock: 'behind',
    clockOffsetSeconds: -86_400,
  });
});

test('unready with a damaged file, which is named without its folder', async () => {
  const damage = {
    file: 'usage.db',
    problem: 'MISSING',
    diagnosis: '/var/lib/tis/usage.db is missing; restore it',
  } as const;
  assert.deepEqual(await ask({ damages: () => [damage] }), {
    ...READY,
    status: 'unready',
    storeIntact: false,
    damage: [{ file: 'usage.db', problem: 'MISSING' }],
  });
});

test('stopping, whatever the checks say', async () => {
  const stopping = AbortSignal.abort();
  assert.deepEqual(await ask({ stopping }), { ...READY, status: 'stopping' });
  assert.equal(
    (await ask({ stopping, threads: () => [{ ...ALIVE, storeWritable: false }] })).status,
    'stopping',
  );
});

test('installed data is listed with its age and attribution, and old data leaves the service ready', async () => {
  const data = {
    kind: 'city',
    name: 'cities',
    builtAt: '2026-01-01T00:00:00.000Z',
    ageDays: 323,
    licence: 'CC-BY-4.0',
    attribution: 'City Makers',
  };
  const state = await ask({ data: () => [data] });
  assert.deepEqual([state.status, state.data], ['ready', [data]]);
  assert.equal('data' in (await ask()), false);
});
