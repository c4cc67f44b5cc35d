// Rules of changes: all or nothing, alone when they fail, in order, kept, and safe beside other writers.

import assert from 'node:assert/strict';
import { ServiceError } from '../../domain/errors.ts';
import type { Stores, WriteTransaction } from '../stores.ts';
import { aVersion, aWrite, criteriaOf, idOf, NOW, save, valueIn } from './fixtures.ts';
import type { Rule } from './rule.ts';

export function describeWriting(rule: Rule): void {
  rule('a change answers what its work answered, once others can read it', async ({ stores, another }) => {
    const other = await another();
    const answer = await stores.write(async (tx) => {
      await writeEverything(tx, 'a');
      return { of: 'the work' };
    });
    assert.deepEqual(answer, { of: 'the work' });
    assert.deepEqual(await everything(stores), ['a']);
    assert.deepEqual(await everything(other), ['a']);
  });

  rule('a work that rejects leaves nothing, wherever it wrote', async ({ stores }) => {
    await stores.write((tx) => writeEverything(tx, 'before'));
    const failure = stores.write(async (tx) => {
      await writeEverything(tx, 'failed');
      throw new ServiceError('aborted', 'changed my mind', { reason: 'INTERNAL' });
    });
    await assert.rejects(failure, { name: 'ServiceError', code: 'aborted', message: 'changed my mind' });
    assert.deepEqual(await everything(stores), ['before']);
    await stores.write((tx) => writeEverything(tx, 'after'));
    assert.deepEqual(await everything(stores), ['after', 'before']);
  });

  rule('whatever a work throws, the caller gets a ServiceError that hides it', async ({ stores }) => {
    const secret = new Error('password is swordfish');
    for (const work of [() => Promise.reject(secret), () => throwing(secret)]) {
      await assert.rejects(stores.write(work), (error: unknown) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.code, 'internal');
        assert.ok(!error.message.includes('swordfish'));
        assert.equal(error.details.cause, secret);
        return true;
      });
    }
  });

  rule('of fifty changes at once those that reject are undone alone', async ({ stores }) => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const settled = await Promise.allSettled(
      numbers.map((number) =>
        stores.write(async (tx) => {
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
    const expected = numbers.filter((number) => number % 3 !== 0).map(String);
    assert.deepEqual(await everything(stores), expected.toReversed());
  });

  rule('the first, the last or all of several changes at once may fail', async ({ stores }) => {
    for (const failing of [['a'], ['c'], ['a', 'b'], ['b', 'c'], ['a', 'b', 'c']]) {
      const before = await everything(stores);
      const keys = ['a', 'b', 'c'].map((key) => `${failing} ${key}`);
      await Promise.allSettled(
        keys.map((key) =>
          stores.write(async (tx) => {
            await writeEverything(tx, key);
            if (failing.includes(key.slice(-1))) throw new Error(key);
          }),
        ),
      );
      const added = keys.filter((key) => !failing.includes(key.slice(-1)));
      assert.deepEqual(await everything(stores), [...added.toReversed(), ...before]);
    }
  });

  rule(
    'changes at once run in order, each seeing those before it, none seeing one that failed',
    async ({ stores }) => {
      const seen = await Promise.allSettled(
        ['a', 'b', 'c', 'd'].map((key) =>
          stores.write(async (tx) => {
            const loaded = await tx.load(['a', 'b', 'c', 'd'].map((value) => idOf(value)));
            await tx.save([aWrite({ value: key })]);
            if (key === 'b') throw new Error(key);
            return [...loaded.values()].map(({ record }) => record.indicator.value);
          }),
        ),
      );
      assert.deepEqual(
        seen.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
        [[], 'failed', ['a'], ['a', 'c']],
      );
    },
  );

  rule('a work that waits holds up those behind it, and none is lost', async ({ stores }) => {
    const order: string[] = [];
    const write = (key: string, turns: number) =>
      stores.write(async (tx) => {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        order.push(key);
        await tx.save([aWrite({ value: key })]);
      });
    const first = write('slow', 5);
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, write('a', 0), write('b', 2), write('c', 0)]);
    assert.deepEqual(order, ['slow', 'a', 'b', 'c']);
    assert.deepEqual(await saved(stores), ['c', 'b', 'a', 'slow']);
  });

  rule('a reader sees nothing of a change before it is complete', async ({ stores }) => {
    await stores.write(async (tx) => {
      await writeEverything(tx, 'a');
      assert.deepEqual(await everything(stores), []);
    });
    assert.deepEqual(await everything(stores), ['a']);
  });

  rule('everything is there after opening again, the installation too', async ({ stores, reopen }) => {
    assert.equal(stores.installation.secret.length, 32);
    await stores.write((tx) => writeEverything(tx, 'a'));
    const [job] = await stores.write((tx) => tx.claim(1, 1_000, NOW));
    const again = await reopen();
    assert.deepEqual(again.installation, stores.installation);
    assert.deepEqual(await everything(again), ['a']);
    assert.equal((await again.indicators.search(criteriaOf({}, 'a'), 10)).rows.length, 1);
    await again.write((tx) => tx.complete(job === undefined ? [] : [job]));
    assert.equal((await again.jobs.counts()).pending, 0);
  });

  rule(
    'every opener of one store is the same installation, another store another',
    async ({ stores, another }) => {
      assert.deepEqual((await another()).installation, stores.installation);
      assert.notDeepEqual(stores.installation.secret, Buffer.alloc(32));
    },
  );

  rule('two openers that write at once lose nothing', async ({ stores, another }) => {
    const openers = [stores, await another()] as const;
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    await Promise.all(
      numbers.map((number) =>
        openers[number % 2 === 0 ? 0 : 1].write(async (tx) => {
          // Both count on one record, and add one of their own.
          const tags = (await tx.load([idOf('shared')])).get(idOf('shared'))?.record.indicator.tags ?? [];
          await tx.save([aWrite({ value: 'shared', tags: [...tags, `${number}`] })]);
          await writeEverything(tx, `${number}`);
        }),
      ),
    );
    const shared = (await stores.indicators.record(idOf('shared'), 'RED'))?.record.indicator.tags ?? [];
    assert.deepEqual(shared.map(Number).toSorted(byNumber), numbers);
    for (const opener of openers) {
      const there = (await everything(opener)).map(Number).toSorted(byNumber);
      assert.deepEqual(there, numbers);
    }
  });

  rule('closing carries out what was asked for before', async ({ stores, reopen }) => {
    const asked = ['a', 'b', 'c'].map((value) => save(stores, [{ value }]));
    await stores.close();
    await Promise.all(asked);
    assert.deepEqual(await saved(await reopen()), ['c', 'b', 'a']);
  });

  rule('once closed, a store is unavailable', async ({ stores }) => {
    await stores.close();
    const unavailable = { name: 'ServiceError', code: 'unavailable' };
    await assert.rejects(save(stores, [{ value: 'late' }]), unavailable);
    await assert.rejects(save(stores, [{ value: 'later' }]), unavailable);
    await assert.rejects(stores.indicators.search(criteriaOf(), 10), unavailable);
    await assert.rejects(stores.feed.last(), unavailable);
  });
}

/** Writes to every part of a store, under one key. */
async function writeEverything(tx: WriteTransaction, key: string): Promise<void> {
  await tx.rememberEvents([idOf(key).replaceAll('-', '')], NOW);
  await tx.save([aWrite({ value: `${key}.everything`, tags: ['everything', `tag ${key}`] })]);
  await tx.enqueue([idOf(`${key}.everything`)], NOW);
  await tx.append([aVersion(key, 0)], NOW);
  await tx.audit({ at: NOW, actor: 'test', action: 'test', target: key, detail: {} });
}

/** The keys given to writeEverything, newest first; fails when two parts of the store do not agree. */
async function everything(stores: Stores): Promise<string[]> {
  const audited = (await stores.audit(1_000)).map(({ target }) => target);
  const found = await stores.indicators.search(criteriaOf({ tags: ['everything'] }), 1_000);
  const page = await stores.feed.objects({ until: Number.MAX_SAFE_INTEGER, limit: 1_000, ceiling: 'RED' });
  assert.deepEqual(
    found.rows.map(({ document }) => valueIn(document)),
    audited.map((key) => `${key}.everything`),
  );
  assert.deepEqual(
    page.entries.map(({ object }) => JSON.parse(object).name),
    audited.toReversed(),
  );
  assert.equal((await stores.jobs.counts()).pending, audited.length);
  for (const key of audited) {
    const tagged = await stores.indicators.count(criteriaOf({ tags: [`tag ${key}`] }), 10);
    assert.equal(tagged, 1, key);
  }
  return audited;
}

async function saved(stores: Stores): Promise<string[]> {
  const { rows } = await stores.indicators.search(criteriaOf(), 1_000);
  return rows.map(({ document }) => valueIn(document));
}

function throwing(error: Error): never {
  throw error;
}

function byNumber(a: number, b: number): number {
  return a - b;
}
