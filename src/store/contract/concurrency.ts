// Rules of writers at the same time. They hold for a store with one writer and for a store with many: no rule says in
// which order writers run, that a work runs only once, or that none has to be asked again. A work waits for a turn of the
// event loop only where one opener writes: a driver may block the thread of a second one until the first is done.

import assert from 'node:assert/strict';
import { ServiceError } from '../../domain/errors.ts';
import { MINUTE } from '../../domain/instant.ts';
import type { FeedVersion } from '../feed.ts';
import type { Stores } from '../stores.ts';
import { aVersion, aWrite, everything, idOf, keyOf, NOW, writeEverything } from './fixtures.ts';
import type { Rule } from './rule.ts';

export function describeConcurrency(rule: Rule): void {
  rule('of fifty changes at once those that reject are undone alone', async ({ stores }) => {
    const numbers = numbersTo(50);
    const settled = await Promise.allSettled(
      numbers.map((number) =>
        write(stores, async (tx) => {
          await writeEverything(tx, `${number}`);
          if (number % 3 === 0) throw new ServiceError('aborted', `${number}`, { reason: 'INTERNAL' });
          return number;
        }),
      ),
    );
    for (const [number, result] of settled.entries()) {
      if (number % 3 === 0) assert.equal(result.status === 'rejected' && result.reason.message, `${number}`);
      else assert.equal(result.status === 'fulfilled' && result.value, number);
    }
    assert.deepEqual(await everything(stores), sorted(numbers.filter((number) => number % 3 !== 0)));
  });

  rule('the first, the last or all of several changes at once may fail', async ({ stores }) => {
    for (const failing of [['a'], ['c'], ['a', 'b'], ['b', 'c'], ['a', 'b', 'c']]) {
      const before = await everything(stores);
      const keys = ['a', 'b', 'c'].map((key) => `${failing} ${key}`);
      await Promise.allSettled(
        keys.map((key) =>
          write(stores, async (tx) => {
            await writeEverything(tx, key);
            if (failing.includes(key.slice(-1))) throw new Error(key);
          }),
        ),
      );
      const added = keys.filter((key) => !failing.includes(key.slice(-1)));
      assert.deepEqual(await everything(stores), [...added, ...before].toSorted());
    }
  });

  rule('changes at once see nothing of one that failed', async ({ stores }) => {
    const keys = ['a', 'b', 'c', 'd'];
    const seen = await Promise.allSettled(
      keys.map((key, index) =>
        write(stores, async (tx) => {
          const loaded = await tx.load(keys.map((value) => idOf(value)));
          await tx.save([aWrite({ value: key })]);
          await turns(index);
          if (key === 'b') throw new Error(key);
          return [...loaded.values()].map((views) => views[0]?.indicator.value);
        }),
      ),
    );
    assert.deepEqual(
      seen.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    for (const result of seen) {
      if (result.status === 'fulfilled') assert.ok(!result.value.includes('b'), `${result.value}`);
    }
    assert.deepEqual(
      [...(await stores.write((tx) => tx.load(keys.map((value) => idOf(value))))).keys()].toSorted(),
      ['a', 'c', 'd'].map((value) => idOf(value)).toSorted(),
    );
  });

  rule('works that wait lose nothing of each other', async ({ stores }) => {
    const waits = new Map([
      ['slow', 5],
      ['a', 0],
      ['b', 2],
      ['c', 0],
    ]);
    await Promise.all(
      [...waits].map(([key, count]) =>
        write(stores, async (tx) => {
          await turns(count);
          await writeEverything(tx, key);
        }),
      ),
    );
    assert.deepEqual(await everything(stores), ['a', 'b', 'c', 'slow']);
  });

  rule('two openers that change one record at once lose no change', async ({ stores, another }) => {
    const openers = [stores, await another()] as const;
    const numbers = numbersTo(100);
    await Promise.all(
      numbers.map((number) =>
        write(openers[number % 2 === 0 ? 0 : 1], async (tx) => {
          // Each work changes the shared record, and writes one of its own.
          const tags = (await tx.load([idOf('shared')])).get(idOf('shared'))?.[0]?.indicator.tags ?? [];
          await tx.save([aWrite({ value: 'shared', tags: [...tags, `${number}`] })]);
          await writeEverything(tx, `${number}`);
        }),
      ),
    );
    const shared = (await stores.indicators.record(idOf('shared'), 'RED'))?.indicator.tags ?? [];
    assert.deepEqual(shared.toSorted(), sorted(numbers));
    for (const opener of openers) assert.deepEqual(await everything(opener), sorted(numbers));
  });

  rule(
    'versions of several writers have one order, and none appears behind a reader',
    async ({ stores, another }) => {
      const other = await another();
      const read = async (until: number) =>
        (await other.feed.versions({ until, limit: 1_000, ceiling: 'RED', versions: 'all' })).entries;
      const passed: (readonly FeedVersion[])[] = [];
      let writing = true;
      const reading = (async () => {
        while (writing) {
          passed.push(await read((await other.feed.bounds('RED'))?.end.place ?? 0));
          await turns(1);
        }
      })();
      await Promise.all(
        numbersTo(60).map((number) =>
          write(stores, async (tx) => {
            await tx.append([aVersion(`${number} first`, 0), aVersion(`${number} second`, 0)], NOW);
            // The rest of the work may take long.
            await turns(number % 4);
            await tx.save([aWrite({ value: `${number}` })]);
          }),
        ),
      );
      writing = false;
      await reading;
      const all = await read(Number.MAX_SAFE_INTEGER);
      assert.equal(all.length, 120);
      for (const [index, { dateAdded }] of all.entries())
        assert.ok(dateAdded > (all[index - 1]?.dateAdded ?? 0), `entry ${index}`);
      for (const entries of passed) assert.deepEqual(entries, all.slice(0, entries.length));
    },
  );

  rule('workers that claim at once never hold the same job', async ({ stores, another }) => {
    const openers = [stores, await another()] as const;
    const ids = numbersTo(60).map((number) => idOf(`${number}`));
    await stores.write((tx) => tx.enqueue(ids.map(keyOf), NOW));
    const claim = (index: number, limit: number) =>
      write(openers[index % 2 === 0 ? 0 : 1], (tx) => tx.claim(limit, MINUTE, NOW));
    const atOnce = await Promise.all(numbersTo(10).map((index) => claim(index, 7)));
    // A claim may skip jobs that another claim has locked.
    const rest = await claim(0, 60);
    const claimed = [...atOnce.flat(), ...rest].map(({ indicatorId }) => indicatorId);
    assert.deepEqual(claimed.toSorted(), ids.toSorted());
  });

  rule('an event that two openers report at once is new once', async ({ stores, another }) => {
    const other = await another();
    const keys = numbersTo(20).map((number) => idOf(`${number}`).replaceAll('-', ''));
    const answers = await Promise.all(
      [stores, other, stores, other].map((opener, index) =>
        write(opener, (tx) => tx.rememberEvents(index < 2 ? keys : keys.toReversed(), NOW)),
      ),
    );
    const isNew = answers.map((answer, index) => (index < 2 ? answer : answer.toReversed()));
    for (const [place, key] of keys.entries())
      assert.equal(isNew.filter((answer) => answer[place]).length, 1, key);
  });
}

/** How often a store may reject one change because of conflicts with other writers. */
const MOST_CONFLICTS = 20;

/** Writes, and repeats the call if it was rejected because of a conflict. */
async function write<Result>(
  stores: Stores,
  work: Parameters<typeof stores.write<Result>>[0],
): Promise<Result> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await stores.write(work);
    } catch (error) {
      const isConflict = error instanceof ServiceError && error.code === 'unavailable';
      if (!isConflict || conflicts === MOST_CONFLICTS) throw error;
    }
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function numbersTo(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index);
}

function sorted(numbers: readonly number[]): string[] {
  return numbers.map(String).toSorted();
}
