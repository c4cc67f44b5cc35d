// Rules of one change: it is atomic and durable, others see it when it is complete, and it appends to the feed last.

import assert from 'node:assert/strict';
import { EVERYBODY } from '../../domain/audience.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Stores, WriteTransaction } from '../stores.ts';
import { append, nameOf, readAll } from './feed.ts';
import { aVersion, criteriaOf, everything, NOW, save, valueIn, writeEverything } from './fixtures.ts';
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

  rule('a reader sees nothing of a change before it is complete', async ({ stores }) => {
    await stores.write(async (tx) => {
      await writeEverything(tx, 'a');
      assert.deepEqual(await everything(stores), []);
    });
    assert.deepEqual(await everything(stores), ['a']);
  });

  rule('versions are appended last, whatever the work does after it asked for them', async ({ stores }) => {
    await stores.write(async (tx) => {
      await tx.append([aVersion('a', 0, { collections: ['ics'] })], NOW);
      await tx.append([aVersion('b', 0)], NOW);
      await tx.collections.declare({ id: 'ics', definition: '{}' });
      // Neither version is in the feed yet.
      await tx.collections.fill('ics', [aVersion('b', 0).id], EVERYBODY);
      await tx.append([aVersion('c', 0)], NOW);
    });
    assert.deepEqual((await readAll(stores)).map(nameOf), ['a', 'b', 'c']);
    assert.deepEqual((await readAll(stores, { collection: 'ics' })).map(nameOf), ['a']);
  });

  rule('a work that has ended cannot append any more', async ({ stores }) => {
    const ended: WriteTransaction[] = [];
    await stores.write(async (tx) => void ended.push(tx));
    await Promise.allSettled([
      stores.write(async (tx) => {
        ended.push(tx);
        throw new Error('refused');
      }),
    ]);
    assert.equal(ended.length, 2);
    for (const tx of ended)
      await assert.rejects(tx.append([aVersion('late', 0)], NOW), { name: 'ServiceError', code: 'internal' });
    assert.deepEqual(await readAll(stores), []);
  });

  rule('a version that cannot be appended undoes the whole change', async ({ stores }) => {
    await stores.write((tx) => writeEverything(tx, 'before'));
    const failure = stores.write(async (tx) => {
      await tx.append([aVersion('a', 0), aVersion('b', 0, { collections: ['never declared'] })], NOW);
      await writeEverything(tx, 'failed');
    });
    await assert.rejects(failure, { name: 'ServiceError', code: 'internal' });
    assert.deepEqual(await everything(stores), ['before']);
    assert.equal(await append(stores, [aVersion('a', 0)]), 1);
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

  rule('closing carries out what was asked for before', async ({ stores, reopen }) => {
    const asked = ['a', 'b', 'c'].map((value) => save(stores, [{ value }]));
    await stores.close();
    await Promise.all(asked);
    assert.deepEqual(await saved(await reopen()), ['a', 'b', 'c']);
  });

  rule('once closed, a store is unavailable', async ({ stores }) => {
    await stores.close();
    const unavailable = { name: 'ServiceError', code: 'unavailable' };
    await assert.rejects(save(stores, [{ value: 'late' }]), unavailable);
    await assert.rejects(save(stores, [{ value: 'later' }]), unavailable);
    await assert.rejects(stores.indicators.search(criteriaOf(), 10), unavailable);
    await assert.rejects(stores.feed.bounds('RED'), unavailable);
  });
}

/** The values of all indicators, sorted. */
async function saved(stores: Stores): Promise<string[]> {
  const { rows } = await stores.indicators.search(criteriaOf(), 1_000);
  return rows.map(({ document }) => valueIn(document)).toSorted();
}

function throwing(error: Error): never {
  throw error;
}
