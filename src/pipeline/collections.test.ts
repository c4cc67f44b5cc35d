// Declaring collections to a store that holds indicators: which are filled, when and by which process.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { readersOf } from '../domain/audience.ts';
import { collectionsOf, type DeclaredCollection, ICS_COLLECTION } from '../domain/collection.ts';
import { MATCH_ALL } from '../domain/filter.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { withObservation } from '../stix/objects/observed-records.test-support.ts';
import { aVersion, aWrite, NOW, save } from '../store/contract/fixtures.ts';
import { openTemporaryStore, type TemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import type { Stores } from '../store/stores.ts';
import { CollectionsInUse, declareCollections, definitionOf } from './collections.ts';

const CAMPAIGN: DeclaredCollection = {
  id: '0f8d6c2a-7b3e-4d19-9a5c-e1f2a3b4c5d6',
  title: 'Campaign 7',
  description: 'What is tagged so.',
  filter: { ...MATCH_ALL, tags: ['seven'] },
};
const TAGGED_EIGHT = { ...MATCH_ALL, tags: ['eight'] };

let store: TemporaryStore;
let stores: Stores;

/**
 * Declares collections. Resolves to the tags that the fills searched for, one entry for each filled collection.
 * @param whileFilling happens before the indicators are read that RED sees, after all others.
 */
async function declare(
  collections: readonly DeclaredCollection[],
  whileFilling: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const searches: string[] = [];
  const watched: Stores = {
    ...stores,
    indicators: {
      ...stores.indicators,
      async *each(criteria) {
        if (criteria.ceiling === 'RED') {
          searches.push(criteria.filter.tags.join());
          await whileFilling();
        }
        yield* stores.indicators.each(criteria);
      },
    },
  };
  await declareCollections(watched, collections);
  return searches;
}

async function members(ceiling: TlpMarking = 'RED'): Promise<string[]> {
  const until = (await stores.feed.bounds(ceiling))?.end.place ?? 0;
  const query = { until, limit: 10, ceiling, collection: CAMPAIGN.id };
  return (await stores.feed.objects(query)).entries.map(({ object }) => JSON.parse(object).name);
}

describe('collections that are declared', () => {
  beforeEach(async () => {
    store = await openTemporaryStore(() => NOW);
    stores = store.stores;
    await save(stores, [
      { value: 'a', tags: ['seven'] },
      { value: 'b', tags: ['eight'] },
    ]);
    await stores.write((tx) => tx.append([aVersion('a', 0), aVersion('b', 0)], NOW));
  });
  afterEach(() => store.dispose());

  test('a collection is filled once, and again when its filter changes, but not when only its text changes', async () => {
    assert.deepEqual(await declare([CAMPAIGN]), ['', 'seven']);
    assert.deepEqual(await members(), ['a']);
    assert.deepEqual(await declare([CAMPAIGN]), []);
    const renamed = { ...CAMPAIGN, title: 'Seven', description: 'The seventh.', alias: 'seven' };
    assert.deepEqual(await declare([renamed]), []);
    const [, stored] = await stores.feed.collections();
    assert.match(stored?.definition ?? '', /The seventh/);
    assert.deepEqual(await declare([{ ...renamed, filter: TAGGED_EIGHT }]), ['eight']);
    // Members stay.
    assert.deepEqual(await members(), ['a', 'b']);
  });

  test('a collection is filled with what matches as each ceiling sees it', async () => {
    const [green, amber] = [readersOf('GREEN', 'AMBER'), readersOf('AMBER')];
    await stores.write(async (tx) => {
      const below = aWrite({ value: 'c', tags: [] });
      const above = aWrite({ value: 'c', tags: ['seven'], tlp: 'AMBER' });
      await tx.save([{ ...below, audience: green }]);
      await tx.save([{ ...above, audience: amber, madeFrom: 'GREEN' }]);
      await tx.append([aVersion('c', 0), aVersion('c', 1, { audience: amber })], NOW);
    });
    await declare([CAMPAIGN]);
    assert.deepEqual(await members('GREEN'), ['a']);
    assert.deepEqual(await members('AMBER'), ['a', 'c']);
  });

  test('a stored filter without a member equals one in which that member matches everything', async () => {
    await declare([]);
    await stores.write(async (tx) => {
      await tx.collections.declare({
        id: ICS_COLLECTION.id,
        definition: JSON.stringify({ ...ICS_COLLECTION, filter: { sensorTypes: ['ICS'] } }),
      });
    });
    assert.deepEqual(await declare([]), []);
  });

  test('a retired collection is filled when it is declared again', async () => {
    await declare([CAMPAIGN]);
    await declare([]);
    assert.deepEqual(await declare([CAMPAIGN]), ['seven']);
  });

  test('a fill by an outdated filter does not mark the collection as filled', async () => {
    await declare([]);
    const other = { ...CAMPAIGN, filter: TAGGED_EIGHT };
    await declare([CAMPAIGN], async () => {
      // Another process declares it with another filter and dies.
      await assert.rejects(
        declare([other], () => Promise.reject(new Error('killed'))),
        /killed/,
      );
    });
    assert.deepEqual(await declare([other]), ['eight']);
    assert.deepEqual(await members(), ['a', 'b']);
  });

  test('two processes can fill one collection at the same time', async () => {
    await declare([]);
    await declare([CAMPAIGN], async () => {
      assert.deepEqual(await declare([CAMPAIGN]), ['seven']);
    });
    assert.deepEqual(await members(), ['a']);
    assert.deepEqual(await declare([CAMPAIGN]), []);
  });
});

const { indicator } = withObservation(undefined, { tags: ['campaign'] });

/** A stored collection of an earlier version, whose filter has only some of the members. */
function earlier(id: string, filter: object): { id: string; definition: string } {
  return { id, definition: JSON.stringify({ id, title: id, description: id, filter }) };
}

test('a definition of an earlier version matches everything in the members that its filter lacks', () => {
  const stored = earlier('old', { tags: ['campaign'] });
  assert.deepEqual(definitionOf(stored).filter, { ...MATCH_ALL, tags: ['campaign'] });
  assert.deepEqual(collectionsOf(indicator, [definitionOf(stored)]), ['old']);
  assert.deepEqual(collectionsOf(indicator, [definitionOf(earlier('other', { tags: ['other'] }))]), []);
  const whole = { id: ICS_COLLECTION.id, definition: JSON.stringify(ICS_COLLECTION) };
  assert.deepEqual(definitionOf(whole), ICS_COLLECTION);
});

test('the collections in use change whenever the stored ones do', () => {
  const inUse = new CollectionsInUse();
  assert.equal(inUse.sync([]), 0);
  const [one, other] = [earlier('one', {}), earlier('other', { tags: ['x'] })];
  assert.equal(inUse.sync([one]), 1);
  assert.equal(inUse.sync([{ ...one }]), 1);
  assert.equal(inUse.sync([one, other]), 2);
  assert.deepEqual(
    inUse.list.map(({ id }) => id),
    ['one', 'other'],
  );
  assert.equal(inUse.sync([one, { ...other, definition: one.definition }]), 3);
  assert.equal(inUse.sync([other]), 4);
});
