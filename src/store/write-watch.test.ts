// How it is known that the store can not be written, and that it can again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import { openTemporaryStore, openTemporaryUsage } from './contract/temporary-store.test-support.ts';
import type { Stores } from './stores.ts';
import { watchStores, watchUsage } from './write-watch.ts';

const NOW = Date.UTC(2026, 10, 20);

function unavailable(): never {
  throw new ServiceError('unavailable', 'not now', { reason: 'STORE_UNAVAILABLE' });
}

test('a change that the store can not take is noticed; only a probe takes it back', async () => {
  const opened = await openTemporaryStore(() => NOW);
  try {
    let broken = true;
    const stores: Stores = {
      ...opened.stores,
      write: (work) =>
        broken
          ? Promise.reject(new ServiceError('unavailable', 'full', { reason: 'INTERNAL' }))
          : opened.stores.write(work),
    };
    let now = 50_000;
    const watch = watchStores(
      stores,
      () => NOW,
      () => now,
    );
    assert.equal(watch.writable, true);
    await assert.rejects(
      watch.store.write(async () => 1),
      { code: 'unavailable' },
    );
    assert.equal(watch.writable, false);
    await watch.probe();
    assert.equal(watch.writable, false);
    broken = false;
    assert.equal(await watch.store.write(async () => 2), 2);
    assert.equal(watch.writable, false, 'it may have had nothing to write');
    now += 4_999;
    await watch.probe();
    assert.equal(watch.writable, false, 'a probe may find room where a batch has none');
    now += 1;
    await watch.probe();
    assert.equal(watch.writable, true);
  } finally {
    await opened.dispose();
  }
});

test('a fault of the change itself says nothing about the store', async () => {
  const opened = await openTemporaryStore(() => NOW);
  try {
    const watch = watchStores(opened.stores, () => NOW);
    await assert.rejects(watch.store.write(() => Promise.reject(new Error('mine'))));
    assert.equal(watch.writable, true);
    await assert.rejects(watch.store.write(async () => unavailable()));
    assert.equal(watch.writable, false);
  } finally {
    await opened.dispose();
  }
});

test('a probe leaves nothing behind, and can be repeated', async () => {
  const opened = await openTemporaryStore(() => NOW);
  try {
    const watch = watchStores(opened.stores, () => NOW);
    for (let times = 0; times < 3; times++) await watch.probe();
    assert.equal(watch.writable, true);
    assert.equal(await opened.stores.write((tx) => tx.forgetEventsBefore(NOW + 1, 10)), 0);
  } finally {
    await opened.dispose();
  }
});

test('use that can not be noted is noticed too, and a probe is billed to nobody', async () => {
  const { usage, dispose } = await openTemporaryUsage();
  try {
    const record = async () => unavailable();
    let now = 50_000;
    const watch = watchUsage(
      { ...usage, record },
      () => NOW,
      () => now,
    );
    await assert.rejects(watch.store.record([], false), { code: 'unavailable' });
    assert.equal(watch.writable, false);
    now += 5_000;
    await watch.probe();
    assert.equal(watch.writable, true);
    assert.deepEqual(await usage.holders(), []);
  } finally {
    await dispose();
  }
});
