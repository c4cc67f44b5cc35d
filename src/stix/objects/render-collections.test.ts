// What is published when an indicator joins a collection, and when a collection is declared late.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { EVERYBODY, readersOf } from '../../domain/audience.ts';
import { collectionsOf, type DeclaredCollection } from '../../domain/collection.ts';
import { MATCH_ALL } from '../../domain/filter.ts';
import type { IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { DAY } from '../../domain/instant.ts';
import {
  openTemporaryStore,
  type TemporaryStore,
} from '../../store/contract/temporary-store.test-support.ts';
import type { FeedQuery } from '../../store/feed.ts';
import type { Stores } from '../../store/stores.ts';
import { initialObjects } from './initial-objects.ts';
import { enriched, INSTALLATION, START, withObservation } from './observed-records.test-support.ts';
import { createRenderStix } from './render.ts';
import { indicatorStixId } from './stix-object.ts';

const CAMPAIGN = collectionOf('campaign', { tags: ['campaign'] });
const LATE = collectionOf('late', {});
const FOUND = { malwareFamilies: ['Mirai'], geo: { countryCode: 'NL', city: '' } };

function collectionOf(id: string, filter: Partial<DeclaredCollection['filter']>): DeclaredCollection {
  return { id, title: id, description: id, filter: { ...MATCH_ALL, ...filter } };
}

/** Publishes into a store and its declared collections, as the pipeline does. */
class Feed {
  readonly stores: Stores;
  readonly records = new Map<string, IndicatorRecord>();
  readonly #declared: DeclaredCollection[] = [];
  #read = 0;
  readonly #render = createRenderStix({
    installation: INSTALLATION,
    collections: () => this.#declared,
    withTlp1: false,
  });

  constructor(stores: Stores) {
    this.stores = stores;
  }

  async publish(record: IndicatorRecord, changed = true): Promise<IndicatorRecord> {
    const { changes, feed } = this.#render(record, changed, readersOf(record.indicator.tlp));
    await this.stores.write((tx) => tx.append(changes, record.indicator.updatedAt));
    const published = feed === undefined ? record : { ...record, feed };
    this.records.set(record.indicator.value, published);
    return published;
  }

  /** Declares a collection and fills it with the published indicators that match. */
  async declare(collection: DeclaredCollection): Promise<void> {
    this.#declared.push(collection);
    const { id } = collection;
    await this.stores.write(async (tx) => {
      await tx.collections.declare({ id, definition: JSON.stringify(collection) });
      for (const { indicator } of this.records.values()) {
        if (collectionsOf(indicator, [collection]).length > 0)
          await tx.collections.fill(id, [indicatorStixId(indicator.id)], EVERYBODY);
      }
    });
  }

  async objects(query: Partial<FeedQuery> = {}): Promise<Record<string, unknown>[]> {
    const until = (await this.stores.feed.bounds('RED'))?.end.place ?? 0;
    const page = await this.stores.feed.objects({ until, limit: 5_000, ceiling: 'RED', ...query });
    return page.entries.map(({ object }) => JSON.parse(object));
  }

  /** Types and counts of the objects published since the last call. */
  async news(): Promise<string[]> {
    const all = await this.objects({ versions: 'all' });
    const news = all.slice(this.#read);
    this.#read = all.length;
    return news.map(({ type, count }) => (count === undefined ? `${type}` : `${type} ${count}`));
  }
}

describe('an indicator with sightings of five days', () => {
  let opened: TemporaryStore;
  let feed: Feed;
  let record: IndicatorRecord;
  const again = { at: START + 4 * DAY + 1 };

  beforeEach(async () => {
    opened = await openTemporaryStore(() => START);
    feed = new Feed(opened.stores);
    await feed.declare(CAMPAIGN);
    let seen = withObservation(undefined, { count: 5 });
    for (let day = 1; day < 5; day++) seen = withObservation(seen, { at: START + day * DAY, count: 5 });
    record = await feed.publish(enriched(seen, FOUND));
    await feed.news();
  });
  afterEach(() => opened.dispose());

  test('joins with everything about it, in new versions', async () => {
    const joins = enriched(withObservation(record, { ...again, tags: ['campaign'] }), FOUND);
    await feed.publish(joins);
    assert.deepEqual(await feed.news(), [
      'indicator',
      'relationship',
      'relationship',
      'sighting 6',
      ...Array.from({ length: 4 }, () => 'sighting 5'),
    ]);
    const members = await feed.objects({ collection: CAMPAIGN.id, versions: 'all' });
    assert.equal(members.filter(({ type }) => type === 'sighting').length, 5);
  });

  test('is republished by itself once a late collection has taken it in', async () => {
    await feed.declare(LATE);
    record = await feed.publish(enriched(withObservation(record, { ...again, tags: ['other'] }), FOUND));
    assert.deepEqual(await feed.news(), ['indicator']);
    assert.deepEqual(record.feed?.collections, [LATE.id]);
    // A collection that it joins later still gets everything.
    record = await feed.publish(
      enriched(withObservation(record, { at: again.at + 1, tags: ['campaign'] }), FOUND),
    );
    assert.equal((await feed.news()).length, 8);
  });

  test('loses no final count and no end to what a late collection made needless', async () => {
    await feed.declare(LATE);
    record = await feed.publish(enriched(withObservation(record, { ...again, tags: ['other'] }), FOUND));
    await feed.news();
    record = await feed.publish(enriched(withObservation(record, { at: START + 5 * DAY }), FOUND), false);
    assert.deepEqual(await feed.news(), ['sighting 1', 'sighting 6']);
    await feed.publish(enriched(withObservation(record, { at: START + 5 * DAY + 1 })));
    assert.deepEqual(await feed.news(), ['indicator', 'relationship', 'relationship', 'sighting 2']);
    const relationships = await feed.objects({ types: ['relationship'] });
    assert.deepEqual(
      relationships.map(({ revoked }) => revoked),
      [true, true],
    );
  });

  test('is under a new marking with everything about it, whatever a late collection has taken in', async () => {
    await feed.declare(LATE);
    await feed.publish(enriched(withObservation(record, { ...again, tlp: 'AMBER' }), FOUND));
    const news = (await feed.news()).filter((one) => /^(?:relationship|sighting)/.test(one));
    assert.equal(news.length, 7);
  });
});

const steps = fc.array(
  fc.record({
    value: fc.constantFrom('192.0.2.1', '192.0.2.2'),
    day: fc.nat(3),
    count: fc.integer({ min: 1, max: 9 }),
    source: fc.constantFrom('s1', 's2'),
    tags: fc.subarray(['campaign', 'a', 'b']),
    malwareFamilies: fc.subarray(['Mirai', 'Industroyer']),
  }),
  { minLength: 2, maxLength: 8 },
);

test('whatever happens: a collection has all that is about its members, whole, and counts that are told', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(7), async (happened, lateAt) => {
      const opened = await openTemporaryStore(() => START);
      try {
        const feed = new Feed(opened.stores);
        await opened.stores.write((tx) => tx.append(initialObjects(INSTALLATION), START));
        await feed.declare(CAMPAIGN);
        for (const [index, { value, day, malwareFamilies, ...seen }] of happened.entries()) {
          if (index === lateAt) await feed.declare(LATE);
          const at = START + day * DAY + index;
          await feed.publish(
            enriched(withObservation(feed.records.get(value), { ...seen, value, at }), { malwareFamilies }),
          );
          await assertWhole(feed, CAMPAIGN.id);
          await assertWhole(feed, LATE.id);
          await assertTold(feed);
        }
      } finally {
        await opened.dispose();
      }
    }),
    { numRuns: 30 },
  );
});

/**
 * References point backwards, and the newest version of everything about a member is present, except ended
 * relationships.
 */
async function assertWhole(feed: Feed, collection: string): Promise<void> {
  const earlier = new Set<unknown>();
  for (const object of await feed.objects({ collection, versions: 'all' })) {
    const { source_ref, target_ref, sighting_of_ref, where_sighted_refs } = object;
    const references = [source_ref, target_ref, sighting_of_ref, where_sighted_refs].flat();
    for (const id of references.filter((id) => id !== undefined))
      assert.ok(earlier.has(id), `${object.id} refers to ${id}`);
    earlier.add(object.id);
  }
  const members = await feed.objects({ collection });
  const ids = new Set(members.map(({ id }) => id));
  for (const { id, source_ref, sighting_of_ref, revoked } of await feed.objects()) {
    if (revoked !== true && ids.has(source_ref ?? sighting_of_ref))
      assert.ok(ids.has(id), `${id} in ${collection}`);
  }
}

/** The published count of each sighting is more than half of its real count. */
async function assertTold(feed: Feed): Promise<void> {
  const told = (await feed.objects({ types: ['sighting'] })).map(({ count }) => Number(count));
  const seen = [...feed.records.values()].flatMap(({ indicator }) => indicator.sightings);
  const magnitudes = (counts: readonly number[]) => counts.map((count) => Math.clz32(count)).sort();
  assert.deepEqual(magnitudes(told), magnitudes(seen.map(({ count }) => Number(count))));
}
