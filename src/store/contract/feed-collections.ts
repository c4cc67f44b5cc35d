// Rules of owners and collections in the feed log: what they share, and what follows from a change of one of them.

import assert from 'node:assert/strict';
import { EVERYBODY } from '../../domain/audience.ts';
import type { FeedAppend, FeedQuery } from '../feed.ts';
import type { Stores } from '../stores.ts';
import { append, endOf, nameOf, readAll } from './feed.ts';
import { aVersion, idOf, NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

export function describeFeedCollections(rule: Rule): void {
  rule('a collection has what was appended to it, what that owns, and what all share', async ({ stores }) => {
    await declare(stores, 'ics', 'other');
    await append(stores, [
      aVersion('shared', 0, { type: 'identity', collections: 'every' }),
      aVersion('a', 0, { collections: ['ics'] }),
      about('a', 'a1', 0),
      aVersion('b', 0),
      about('b', 'b1', 0),
      aVersion('c', 0, { collections: ['ics', 'other'] }),
    ]);
    for (const versions of ['last', 'first', 'all'] as const) {
      const read = (collection?: string) =>
        names(stores, { versions, ...(collection === undefined ? {} : { collection }) });
      assert.deepEqual(await read('ics'), ['shared', 'a', 'a1', 'c'], versions);
      assert.deepEqual(await read('other'), ['shared', 'c'], versions);
      assert.deepEqual(await read(), ['shared', 'a', 'a1', 'b', 'b1', 'c'], versions);
      assert.deepEqual(await read('never declared'), [], versions);
    }
    assert.deepEqual(await names(stores, { collection: 'ics', types: ['sighting', 'identity'] }), [
      'shared',
      'a1',
    ]);
    assert.deepEqual(await names(stores, { collection: 'other', ids: [stixId('a'), stixId('c')] }), ['c']);
  });

  rule('whoever is in a collection stays, and joins with the version that joined', async ({ stores }) => {
    await declare(stores, 'ics');
    await append(stores, [aVersion('a', 0), about('a', 'a1', 0)]);
    await append(stores, [aVersion('a', 1, { collections: ['ics'] }), aVersion('a', 2)]);
    await append(stores, [about('a', 'a1', 3), about('a', 'a2', 3)]);
    const read = async (versions: 'last' | 'first' | 'all') =>
      (await readAll(stores, { collection: 'ics', versions })).map(
        (entry) => `${nameOf(entry)} ${Date.parse(entry.version) - NOW}`,
      );
    assert.deepEqual(await read('all'), ['a 1', 'a 2', 'a1 3', 'a2 3']);
    assert.deepEqual(await read('first'), ['a 1', 'a1 3', 'a2 3']);
    assert.deepEqual(await read('last'), ['a 2', 'a1 3', 'a2 3']);
  });

  rule('a version that comes after a newer one is where the newer one is', async ({ stores }) => {
    await declare(stores, 'ics');
    await append(stores, [aVersion('a', 10)]);
    await append(stores, [aVersion('a', 5, { collections: ['ics'] })]);
    const read = async (versions: 'last' | 'first' | 'all') =>
      (await readAll(stores, { collection: 'ics', versions })).map(
        (entry) => `${nameOf(entry)} ${Date.parse(entry.version) - NOW}`,
      );
    assert.deepEqual(await read('all'), []);
    await append(stores, [aVersion('a', 20, { collections: ['ics'] }), aVersion('a', 15)]);
    for (const versions of ['last', 'first'] as const) assert.deepEqual(await read(versions), ['a 20']);
    assert.deepEqual(await read('all'), ['a 20', 'a 15']);
  });

  rule('a walk through a collection sees one state of it', async ({ stores }) => {
    await declare(stores, 'ics');
    const keys = ['a', 'b', 'c', 'd'];
    await append(
      stores,
      keys.map((key) => aVersion(key, 0, { collections: ['ics'] })),
    );
    const until = await endOf(stores);
    await append(stores, [aVersion('b', 1), aVersion('e', 1, { collections: ['ics'] }), aVersion('c', 1)]);
    assert.deepEqual(await names(stores, { collection: 'ics', until }), keys);
    assert.deepEqual(await names(stores, { collection: 'ics', after: until }), ['b', 'e', 'c']);
  });

  rule('a collection that was declared late is filled with what was there', async ({ stores }) => {
    await append(stores, [
      aVersion('shared', 0, { type: 'identity', collections: 'every' }),
      aVersion('a', 0),
      about('a', 'a1', 0),
      aVersion('b', 0),
    ]);
    await append(stores, [aVersion('a', 1)]);
    await declare(stores, 'late');
    const read = (versions: 'last' | 'first' | 'all') => names(stores, { collection: 'late', versions });
    assert.deepEqual(await read('all'), ['shared']);
    const ids = [stixId('a'), stixId('unknown')];
    for (let times = 0; times < 2; times++) {
      await stores.write((tx) => tx.collections.fill('late', ids, EVERYBODY));
      assert.deepEqual(await read('all'), ['shared', 'a', 'a1', 'a']);
      assert.deepEqual(await read('first'), ['shared', 'a', 'a1']);
      assert.deepEqual(await read('last'), ['shared', 'a1', 'a']);
    }
    await append(stores, [about('a', 'a2', 2)]);
    assert.deepEqual(await read('last'), ['shared', 'a1', 'a', 'a2']);
  });

  rule(
    'the first version of an object that is filled in comes before the one that had joined',
    async ({ stores }) => {
      await declare(stores, 'late');
      await append(stores, [
        aVersion('a', 0),
        about('a', 'a1', 0),
        aVersion('to be shared', 0, { type: 'identity' }),
      ]);
      await append(stores, [
        aVersion('a', 10, { collections: ['late'] }),
        about('a', 'a1', 10),
        aVersion('to be shared', 10, { type: 'identity', collections: 'every' }),
      ]);
      const first = () => versions(stores, { collection: 'late', versions: 'first' });
      assert.deepEqual(await first(), ['a 10', 'a1 10', 'to be shared 10']);
      const ids = [stixId('a'), stixId('to be shared')];
      for (let times = 0; times < 2; times++) {
        await stores.write((tx) => tx.collections.fill('late', ids, EVERYBODY));
        assert.deepEqual(await first(), ['a 0', 'a1 0', 'to be shared 0']);
      }
      await append(stores, [aVersion('a', 20)]);
      assert.deepEqual(await first(), ['a 0', 'a1 0', 'to be shared 0']);
      assert.deepEqual(await versions(stores, { versions: 'first' }), ['a 0', 'a1 0', 'to be shared 0']);
      await stores.write((tx) => tx.compactFeed(NOW + 1_000, 100));
      assert.deepEqual(await first(), ['a1 10', 'to be shared 10', 'a 20']);
    },
  );

  rule(
    'what is published again only to join is left out where there is nothing to join',
    async ({ stores }) => {
      await declare(stores, 'ics');
      await append(stores, [aVersion('a', 0), about('a', 'a1', 0), about('a', 'a2', 0)]);
      const onlyToJoin = true;
      assert.equal(await append(stores, [aVersion('a', 1), about('a', 'a1', 1, { onlyToJoin })]), 1);
      await append(stores, [
        aVersion('a', 2, { collections: ['ics'] }),
        about('a', 'a1', 2, { onlyToJoin }),
        about('a', 'a3', 2, { onlyToJoin }),
      ]);
      assert.deepEqual(await versions(stores, {}), ['a 0', 'a1 0', 'a2 0', 'a 1', 'a 2', 'a1 2', 'a3 2']);
      assert.deepEqual(await versions(stores, { collection: 'ics' }), ['a 2', 'a1 2', 'a3 2']);
      // After the fill, objects and their owners are in the collection already.
      await declare(stores, 'late');
      await stores.write((tx) => tx.collections.fill('late', [stixId('a')], EVERYBODY));
      const joining = { onlyToJoin, collections: ['late'] } as const;
      assert.equal(await append(stores, [about('a', 'a1', 3, joining), about('a', 'a2', 3, joining)]), 1);
      assert.deepEqual(await names(stores, { collection: 'ics' }), ['a', 'a1', 'a3', 'a2']);
    },
  );

  rule(
    'a definition is kept; a collection wants filling while it is new, and when it is outgrown',
    async ({ stores }) => {
      const declareAs = (definition: string, id = 'ics') =>
        stores.write((tx) => tx.collections.declare({ id, definition }));
      assert.equal(await declareAs('{}'), false);
      assert.equal(await declareAs('{}'), false);
      await stores.write((tx) => tx.collections.filled('ics'));
      assert.equal(await declareAs('{}'), true);
      // A new description does not change the members.
      assert.equal(await declareAs('{"title":"x"}'), true);
      await stores.write((tx) => tx.collections.outgrown('ics'));
      assert.equal(await declareAs('{"title":"x"}'), false);
      await declareAs('[]', 'other');
      assert.deepEqual(await stores.feed.collections(), [
        { id: 'ics', definition: '{"title":"x"}' },
        { id: 'other', definition: '[]' },
      ]);
      await stores.write((tx) => tx.collections.filled('other'));
      await stores.write((tx) => tx.collections.retire(['ics']));
      assert.deepEqual(
        (await stores.feed.collections()).map(({ id }) => id),
        ['ics'],
      );
      assert.equal(await declareAs('[]', 'other'), false);
    },
  );

  rule('as many collections as the driver says can be declared, and no more', async ({ stores, driver }) => {
    const { collections: limit } = driver.limits;
    const ids = Array.from({ length: limit ?? 100 }, (_, index) => `c${index}`);
    await declare(stores, ...ids);
    if (limit !== undefined)
      await assert.rejects(declare(stores, 'one more'), { code: 'failed_precondition' });
    await append(stores, [aVersion('a', 0, { collections: ids })]);
    for (const collection of ids) assert.deepEqual(await names(stores, { collection }), ['a']);
  });

  rule('compaction takes what was superseded before, and never the newest', async ({ stores }) => {
    await declare(stores, 'ics');
    await append(stores, [aVersion('a', 0), aVersion('b', 0)], NOW);
    await append(stores, [aVersion('a', 10, { collections: ['ics'] })], NOW + 10);
    await append(stores, [aVersion('a', 20)], NOW + 20);
    await append(stores, [aVersion('a', 5)], NOW + 25);
    await append(stores, [aVersion('a', 30)], NOW + 30);
    const compact = async (before: number, limit = 100) =>
      (await stores.write((tx) => tx.compactFeed(before, limit))).deleted;
    assert.equal(await compact(NOW + 10), 0);
    assert.equal(await compact(NOW + 11), 1);
    assert.deepEqual(await versions(stores, {}), ['b 0', 'a 10', 'a 20', 'a 5', 'a 30']);
    // The first remaining version is now the first version.
    assert.deepEqual(await versions(stores, { versions: 'first' }), ['b 0', 'a 10']);
    assert.equal(await compact(NOW + 1_000, 2), 2);
    assert.equal(await compact(NOW + 1_000, 2), 1);
    assert.equal(await compact(NOW + 1_000), 0);
    assert.deepEqual(await versions(stores, {}), ['b 0', 'a 30']);
    assert.deepEqual(await versions(stores, { versions: 'first' }), ['b 0', 'a 30']);
    assert.deepEqual(await versions(stores, { collection: 'ics', versions: 'first' }), ['a 30']);
    assert.equal(await append(stores, [aVersion('a', 30)]), 0);
  });

  rule('compaction of many versions of one object at once leaves a first one', async ({ stores }) => {
    await declare(stores, 'ics');
    await append(stores, [aVersion('a', 0)]);
    for (const age of [10, 20, 30, 40])
      await append(stores, [aVersion('a', age, { collections: ['ics'] })], NOW + age);
    assert.deepEqual(await stores.write((tx) => tx.compactFeed(NOW + 1_000, 100)), {
      deleted: 4,
      more: false,
    });
    assert.deepEqual(await versions(stores, { versions: 'first' }), ['a 40']);
    assert.deepEqual(await versions(stores, { collection: 'ics', versions: 'first' }), ['a 40']);
  });
}

function stixId(key: string): string {
  return `indicator--${idOf(key)}`;
}

/** A version of an object that the object of another key owns. */
function about(owner: string, key: string, age: number, changes: Partial<FeedAppend> = {}): FeedAppend {
  return aVersion(key, age, { type: 'sighting', owner: stixId(owner), ...changes });
}

async function names(stores: Stores, query: Partial<FeedQuery>): Promise<string[]> {
  return (await readAll(stores, query)).map(nameOf);
}

async function versions(stores: Stores, query: Partial<FeedQuery>): Promise<string[]> {
  const entries = await readAll(stores, { versions: 'all', ...query });
  return entries.map((entry) => `${nameOf(entry)} ${Date.parse(entry.version) - NOW}`);
}

function declare(stores: Stores, ...ids: readonly string[]): Promise<void> {
  return stores.write(async (tx) => {
    for (const id of ids) await tx.collections.declare({ id, definition: '{}' });
  });
}
