// Declaring collections to a store that holds indicators: what is filled, when, and by whom.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { type Config, readConfig } from '../config.ts';
import { ICS_COLLECTION } from '../domain/collection.ts';
import { aVersion, NOW, save } from '../store/contract/fixtures.ts';
import type { Stores } from '../store/stores.ts';
import { declareCollections } from './declare-collections.ts';
import { prepareFeed } from './pipeline.ts';
import { openStores } from './stores.ts';
import { startPipeline } from './threads.ts';

const CAMPAIGN = {
  id: '0f8d6c2a-7b3e-4d19-9a5c-e1f2a3b4c5d6',
  title: 'Campaign 7',
  description: 'What is tagged so.',
  filter: { tags: ['seven'] },
};

let config: Config;
let stores: Stores;

beforeEach(async () => {
  config = readConfig({ TIS_DATA_DIR: await mkdtemp(join(tmpdir(), 'tis-declare-')) });
  stores = await openStores(config);
  await save(stores, [
    { value: 'a', tags: ['seven'] },
    { value: 'b', tags: ['eight'] },
  ]);
  await stores.write((tx) => tx.append([aVersion('a', 0), aVersion('b', 0)], NOW));
});
afterEach(async () => {
  await stores.close();
  await rm(config.dataDir, { recursive: true });
});

/** Declares what a file holds. Resolves to the tags by which indicators were looked for, once for each collection. */
async function declare(
  collections: readonly object[],
  whileFilling: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const searches: string[] = [];
  const watched: Stores = {
    ...stores,
    indicators: {
      ...stores.indicators,
      search: async (criteria, ...page) => {
        searches.push(criteria.filter.tags.join());
        await whileFilling();
        return stores.indicators.search(criteria, ...page);
      },
    },
  };
  const path = join(config.dataDir, 'collections.json');
  await writeFile(path, JSON.stringify(collections));
  await declareCollections(watched, path);
  return searches;
}

async function members(): Promise<string[]> {
  const until = (await stores.feed.last()) ?? 0;
  const query = { until, limit: 10, ceiling: 'RED', collection: CAMPAIGN.id } as const;
  return (await stores.feed.objects(query)).entries.map(({ object }) => JSON.parse(object).name);
}

test('a collection is filled once, and again when its filter is another, not when it is only described anew', async () => {
  assert.deepEqual(await declare([CAMPAIGN]), ['', 'seven']);
  assert.deepEqual(await members(), ['a']);
  assert.deepEqual(await declare([CAMPAIGN]), []);
  const renamed = { ...CAMPAIGN, title: 'Seven', description: 'The seventh.', alias: 'seven' };
  assert.deepEqual(await declare([renamed]), []);
  const [, stored] = await stores.feed.collections();
  assert.match(stored?.definition ?? '', /The seventh/);
  assert.deepEqual(await declare([{ ...renamed, filter: { tags: ['eight'] } }]), ['eight']);
  // Who is in it stays.
  assert.deepEqual(await members(), ['a', 'b']);
});

test('a definition of an earlier version, without a member that asks for nothing, is the same', async () => {
  await declare([]);
  await stores.write(async (tx) => {
    await tx.collections.declare({
      id: ICS_COLLECTION.id,
      definition: JSON.stringify({ ...ICS_COLLECTION, filter: { sensorTypes: ['ICS'] } }),
    });
  });
  assert.deepEqual(await declare([]), []);
});

test('one that was taken out of use is filled when it is declared again', async () => {
  await declare([CAMPAIGN]);
  await declare([]);
  assert.deepEqual(await declare([CAMPAIGN]), ['seven']);
});

test('what fills it by the filter of before does not pass it off as filled', async () => {
  await declare([]);
  const other = { ...CAMPAIGN, filter: { tags: ['eight'] } };
  await declare([CAMPAIGN], async () => {
    // Another process declares it by another filter, and dies.
    await assert.rejects(
      declare([other], () => Promise.reject(new Error('killed'))),
      /killed/,
    );
  });
  assert.deepEqual(await declare([other]), ['eight']);
  assert.deepEqual(await members(), ['a', 'b']);
});

test('one that two processes fill at the same time is filled, for both', async () => {
  await declare([]);
  await declare([CAMPAIGN], async () => {
    assert.deepEqual(await declare([CAMPAIGN]), ['seven']);
  });
  assert.deepEqual(await members(), ['a']);
  assert.deepEqual(await declare([CAMPAIGN]), []);
});

test('a process declares them before its threads begin, which declare nothing', async () => {
  const thread = await startPipeline(config, false);
  try {
    assert.deepEqual(await stores.feed.collections(), []);
  } finally {
    await thread.stop();
  }
  await prepareFeed(stores, config);
  assert.deepEqual(
    (await stores.feed.collections()).map(({ id }) => id),
    [ICS_COLLECTION.id],
  );
});
