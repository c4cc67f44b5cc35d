// One change that writes to every part of a store, and a look at all of them that fails where two do not agree.

import assert from 'node:assert/strict';
import type { Stores, WriteTransaction } from '../stores.ts';
import { aVersion, aWrite, criteriaOf, idOf, NOW, valueIn } from './fixtures.ts';

/** Writes to every part of a store, under one key. */
export async function writeEverything(tx: WriteTransaction, key: string): Promise<void> {
  await tx.rememberEvents([idOf(key).replaceAll('-', '')], NOW);
  await tx.save([aWrite({ value: `${key}.everything`, tags: ['everything', `tag ${key}`] })]);
  await tx.enqueue([idOf(`${key}.everything`)], NOW);
  await tx.append([aVersion(key, 0)], NOW);
  await tx.audit({ at: NOW, actor: 'test', action: 'test', target: key, detail: {} });
}

/** The keys given to writeEverything, sorted; fails when two parts of the store do not agree. */
export async function everything(stores: Stores): Promise<string[]> {
  const keys = (await stores.audit(1_000)).map(({ target }) => target).toSorted();
  const found = await stores.indicators.search(criteriaOf({ tags: ['everything'] }), 1_000);
  const page = await stores.feed.objects({ until: Number.MAX_SAFE_INTEGER, limit: 1_000, ceiling: 'RED' });
  assert.deepEqual(
    found.rows.map(({ document }) => valueIn(document)).toSorted(),
    keys.map((key) => `${key}.everything`).toSorted(),
  );
  assert.deepEqual(page.entries.map(({ object }) => JSON.parse(object).name).toSorted(), keys);
  assert.equal((await stores.jobs.counts()).pending, keys.length);
  for (const key of keys) {
    const tagged = await stores.indicators.count(criteriaOf({ tags: [`tag ${key}`] }), 10);
    assert.equal(tagged, 1, key);
  }
  return keys;
}
