// Queries of the feed whose cost a driver has to bound: many selectors, and many sets of collections.

import assert from 'node:assert/strict';
import { readersOf } from '../../domain/audience.ts';
import { TLP_MARKINGS } from '../../domain/vocabulary.ts';
import type { FeedQuery } from '../feed.ts';
import { append, readAll } from './feed.ts';
import { aVersion, idOf } from './fixtures.ts';
import type { Rule } from './rule.ts';

const MARKINGS = TLP_MARKINGS.slice(1);

export function describeFeedQueries(rule: Rule): void {
  rule('thousands of ids, types and versions may be asked for at once', async ({ stores }) => {
    await append(stores, [aVersion('a', 0), aVersion('b', 0, { type: 'malware' })]);
    const many = Array.from({ length: 4_000 }, (_, index) => `${index}`);
    for (const ceiling of MARKINGS) {
      for (const versions of ['last', 'all', 'first', ['last', ...many]] as const) {
        const ids = [stixId('b'), ...many.map((name) => `malware--${idOf(name)}`)];
        const types = ['malware', ...many];
        const found = await readAll(stores, { ids, types, versions, ceiling });
        assert.equal(found.length, ceiling === 'CLEAR' ? 0 : 1);
        assert.equal((await readAll(stores, { types, versions, ceiling })).length, found.length);
      }
    }
  });

  rule('what is found does not depend on how many sets of collections there are', async ({ stores }) => {
    const collections = Array.from({ length: 10 }, (_, index) => `c${index}`);
    await stores.write(async (tx) => {
      for (const id of [...collections, 'rare']) await tx.collections.declare({ id, definition: '{}' });
    });
    const inSet = (set: number, age: number) =>
      aVersion(`${set}`, age, {
        collections: collections.filter((_, index) => (set >> index) & 1),
        audience: readersOf(set % 100 === 0 ? 'RED' : 'AMBER'),
      });
    const sets = Array.from({ length: 2 ** collections.length }, (_, set) => set);
    await append(stores, [
      ...sets.map((set) => inSet(set, 0)),
      aVersion('malware', 0, { type: 'malware', collections: ['rare'] }),
      ...sets.map((set) => inSet(set, 1)),
    ]);
    const count = async (query: Partial<FeedQuery>) => (await readAll(stores, query)).length;
    for (const [versions, times] of [
      ['last', 1],
      ['first', 1],
      [['first', aVersion('', 1).version], 2],
      [['last', 'first'], 2],
      ['all', 2],
    ] as const) {
      assert.equal(await count({ versions, types: ['indicator'] }), 1_024 * times, `${versions}`);
      assert.equal(await count({ versions, types: ['indicator'], ceiling: 'AMBER' }), 1_013 * times);
      assert.equal(await count({ versions, types: ['indicator'], ceiling: 'GREEN' }), 0);
      assert.equal(await count({ versions, collection: 'c3' }), 512 * times);
      assert.equal(await count({ versions, collection: 'c3', types: ['malware', 'tool'] }), 0);
      assert.equal(await count({ versions, collection: 'rare', ceiling: 'AMBER' }), 1);
      assert.equal(await count({ versions, types: ['tool'] }), 0);
    }
  });
}

function stixId(key: string): string {
  return `indicator--${idOf(key)}`;
}
