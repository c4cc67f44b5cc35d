// Preparing the feed: done once by the process, before its threads start.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Config, readConfig } from '../config.ts';
import { ICS_COLLECTION } from '../domain/collection.ts';
import type { Stores } from '../store/stores.ts';
import { ConfigError } from '../variables.ts';
import { prepareFeed } from './pipeline.ts';
import { openStores } from './stores.ts';
import { startPipeline } from './threads.ts';

let config: Config;
let stores: Stores;

describe('preparing the feed', () => {
  beforeEach(async () => {
    config = readConfig({ TIS_DATA_DIR: await mkdtemp(join(tmpdir(), 'tis-prepare-')) });
    stores = await openStores(config);
  });
  afterEach(async () => {
    await stores.close();
    await rm(config.dataDir, { recursive: true });
  });

  test('a process declares the collections; its threads declare none', async () => {
    const thread = await startPipeline(config, false);
    try {
      assert.deepEqual(await stores.feed.collections(), []);
    } finally {
      await thread.stop();
    }
    await prepareFeed(stores, config, Date.now);
    assert.deepEqual(
      (await stores.feed.collections()).map(({ id }) => id),
      [ICS_COLLECTION.id],
    );
  });

  test('every fault of the file that declares collections is named', async () => {
    const path = join(config.dataDir, 'collections.json');
    await writeFile(path, JSON.stringify([{ id: 'x', filter: { tagz: ['seven'] } }]));
    const withFile = { ...config, taxii: { ...config.taxii, collections: path } };
    await assert.rejects(prepareFeed(stores, withFile, Date.now), (error) => {
      assert.ok(error instanceof ConfigError);
      for (const field of ['[0].id', '[0].title', '[0].filter.tagz'])
        assert.ok(error.message.includes(field), field);
      return true;
    });
  });
});
