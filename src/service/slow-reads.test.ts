import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { readConfig } from '../config.ts';
import { MATCH_ALL } from '../domain/filter.ts';
import { criteriaOf, documentsIn, save, valueIn } from '../store/contract/fixtures.ts';
import type { SearchBlocks, SearchCriteria } from '../store/indicators.ts';
import { isOutOfTime, outOfTime } from '../store/patience.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { ReadingCalls } from './reading.ts';
import type { ServiceThread } from './service-thread.ts';
import { createSlowReads } from './slow-reads.ts';
import { openStores } from './stores.ts';
import { startReading } from './threads.ts';

test('searches run in a thread that opens the store', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tis-reading-'));
  const config = readConfig({ TIS_DATA_DIR: dataDir });
  const stores = await openStores(config);
  const reads = createSlowReads(() => startReading(config), new Metrics(), { error: assert.ifError });
  try {
    await save(stores, [{ value: 'a.evil.example' }, { value: 'b.evil.example' }]);
    const criteria = criteriaOf({}, 'b.evil.example');
    const { blocks } = await reads.blocks('caller', criteria, 10);
    assert.deepEqual(documentsIn(blocks).map(valueIn), ['b.evil.example']);
    assert.equal(await reads.count('caller', criteria, 10), 1);
  } finally {
    assert.equal(await reads.stop(5_000), true);
    await stores.close();
    await rm(dataDir, { recursive: true });
  }
});

const CRITERIA: SearchCriteria = { filter: MATCH_ALL, terms: [], ceiling: 'RED' };
const EMPTY: SearchBlocks = { blocks: [], count: 0, last: undefined, more: false };

/** A thread in which every search runs until the test ends it. */
function heldThread() {
  const running: { limit: number; end: (error?: Error) => void }[] = [];
  const died = Promise.withResolvers<Error>();
  const state = { stopped: 0 };
  const blocks: ReadingCalls['blocks'] = (_criteria, limit) => {
    const { promise, resolve, reject } = Promise.withResolvers<SearchBlocks>();
    running.push({ limit, end: (error) => (error === undefined ? resolve(EMPTY) : reject(error)) });
    return promise;
  };
  const thread: ServiceThread<ReadingCalls> = {
    calls: { blocks, count: async () => 7 },
    failed: died.promise,
    heartbeat: () => ({ storeWritable: true, silentMs: 1 }),
    condemn: () => undefined,
    connect: () => assert.fail('nobody else calls it'),
    stop: async () => {
      state.stopped += 1;
      return true;
    },
  };
  return { thread, running, die: died.resolve, state };
}

/** Lets what is settled go on. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

describe('slow searches', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  function begin() {
    const threads: ReturnType<typeof heldThread>[] = [];
    const errors: unknown[] = [];
    const reads = createSlowReads(
      async () => {
        const held = heldThread();
        threads.push(held);
        return held.thread;
      },
      new Metrics(),
      { error: (error: unknown) => errors.push(error) },
    );
    return { reads, threads, errors };
  }

  test('run one at a time, and callers take turns', async () => {
    const { reads, threads } = begin();
    const found = [
      reads.blocks('many', CRITERIA, 1),
      reads.blocks('many', CRITERIA, 2),
      reads.blocks('many', CRITERIA, 3),
      reads.blocks('one', CRITERIA, 4),
    ];
    const order: number[] = [];
    for (let turn = 1; turn <= 4; turn++) {
      await settle();
      const { running } = threads[0] ?? heldThread();
      assert.equal(running.length, turn);
      order.push(running.at(-1)?.limit ?? 0);
      running.at(-1)?.end();
    }
    assert.deepEqual(await Promise.all(found), [EMPTY, EMPTY, EMPTY, EMPTY]);
    assert.deepEqual(order, [1, 2, 4, 3]);
    assert.equal(threads.length, 1);
  });

  test('one caller leaves as many places free as it takes', async () => {
    const { reads } = begin();
    const accepted = Array.from({ length: 16 }, () => reads.blocks('greedy', CRITERIA, 1));
    await assert.rejects(reads.blocks('greedy', CRITERIA, 1), {
      details: { reason: 'OVERLOADED', retryAfterMs: 2_000 },
    });
    const other = reads.blocks('other', CRITERIA, 1);
    await settle();
    mock.timers.tick(60_000);
    const results = await Promise.allSettled([...accepted, other]);
    assert.ok(results.every(({ status }) => status === 'rejected'));
  });

  test('a search whose turn does not come is refused, and one that does not end is given up', async () => {
    const { reads, threads } = begin();
    const endless = assert.rejects(reads.blocks('a', CRITERIA, 1), isOutOfTime);
    const waiting = assert.rejects(reads.blocks('b', CRITERIA, 2), {
      details: { reason: 'OVERLOADED', retryAfterMs: 2_000 },
    });
    await settle();
    mock.timers.tick(5_000);
    await Promise.all([endless, waiting]);
    // The thread is busy until the statement ends.
    const next = reads.blocks('c', CRITERIA, 3);
    await settle();
    assert.equal(threads[0]?.running.length, 1);
    threads[0]?.running[0]?.end(outOfTime());
    await settle();
    assert.equal(threads[0]?.running[1]?.limit, 3);
    threads[0]?.running[1]?.end();
    assert.equal(await next, EMPTY);
  });

  test('the thread ends when it is idle, and another one replaces it when it dies', async () => {
    const { reads, threads, errors } = begin();
    assert.equal(reads.heartbeat().silentMs, 0);
    assert.equal(await reads.count('a', CRITERIA, 1), 7);
    assert.equal(reads.heartbeat().silentMs, 1);
    mock.timers.tick(60_000);
    await settle();
    assert.equal(threads[0]?.state.stopped, 1);
    assert.equal(await reads.count('a', CRITERIA, 1), 7);
    threads[1]?.die(new Error('died'));
    await settle();
    assert.equal(errors.length, 1);
    assert.equal(await reads.count('a', CRITERIA, 1), 7);
    assert.equal(threads.length, 3);
    assert.equal(await reads.stop(1_000), true);
    assert.equal(threads[2]?.state.stopped, 1);
  });
});
