// Rules of the archive: what is in it is nowhere else, and comes back to its place.

import assert from 'node:assert/strict';
import { EVERYBODY } from '../../domain/audience.ts';
import type { Indicator } from '../../domain/indicator/indicator.ts';
import type { StoreDriver } from '../driver.ts';
import type { Stores } from '../stores.ts';
import { append, nameOf, readAll } from './feed.ts';
import { aRecord, aVersion, aWrite, criteriaOf, idOf, keyOf, NOW, save, valueIn } from './fixtures.ts';
import type { Rule } from './rule.ts';

const VALUES = ['a.example', 'b.example', 'c.example'];

export function describeArchive(rule: Rule): void {
  rule('an archived indicator is found nowhere but in the archive', async ({ stores, driver }) => {
    await saveAll(stores);
    assert.deepEqual(await archive(stores, ['b.example', 'unknown.example']), [idOf('b.example')]);
    const id = idOf('b.example');
    assert.deepEqual(await valuesOf(stores), ['c.example', 'a.example']);
    assert.deepEqual(await valuesOf(stores, { tags: ['plant'] }), ['c.example', 'a.example']);
    assert.equal(await stores.indicators.count(criteriaOf({ tags: ['plant'] }), 10), 2);
    assert.equal(await stores.indicators.document(id, 'RED'), undefined);
    assert.equal(await stores.indicators.record(id, 'RED'), undefined);
    assert.deepEqual(await stores.write((tx) => tx.loadViews([keyOf(id)])), [undefined]);
    assert.deepEqual(await stores.write((tx) => tx.revisions([keyOf(id)])), [undefined]);
    const record = aRecord(aMember('b.example', 1));
    assert.deepEqual(await stores.archive.get(id), [{ record, archivedAt: NOW + 9 }]);
    assert.deepEqual(await stores.archive.get(idOf('a.example')), []);
    assert.deepEqual(await archivedValues(stores), ['b.example']);
    // Its record is loaded as any other, because a report may bring it back.
    const loaded = await stores.write((tx) => tx.load([id]));
    assert.deepEqual([...loaded], [[id, [record]]]);
    const { indicators, archived } = await driver.maintenance.check();
    assert.deepEqual({ indicators, archived }, { indicators: 2, archived: 1 });
    assert.deepEqual(await faultsOf(driver), []);
  });

  rule(
    'saved again, it comes back to its place, and no other gets that place',
    async ({ stores, driver }) => {
      await saveAll(stores);
      await archive(stores, VALUES);
      assert.deepEqual(await archivedValues(stores), VALUES);
      await save(stores, [{ value: 'd.example', createdAt: NOW + 5 }]);
      await save(stores, [{ ...aMember('c.example', 2), tags: ['back'] }]);
      await save(stores, [aMember('a.example', 0)]);
      assert.deepEqual(await valuesOf(stores), ['d.example', 'c.example', 'a.example']);
      assert.deepEqual(await valuesOf(stores, { tags: ['back'] }), ['c.example']);
      assert.deepEqual(await valuesOf(stores, { tags: ['plant'] }), ['a.example']);
      assert.deepEqual(await archivedValues(stores), ['b.example']);
      assert.deepEqual(await faultsOf(driver), []);
    },
  );

  rule('archived indicators count for the order of creation', async ({ stores }) => {
    await saveAll(stores);
    await archive(stores, VALUES);
    assert.equal(await stores.write((tx) => tx.creationInstant(NOW)), NOW + 2);
  });

  rule('an indicator with a job is not archived', async ({ stores }) => {
    await saveAll(stores);
    await stores.write((tx) => tx.enqueue([keyOf(idOf('a.example'))], NOW));
    assert.deepEqual(await archive(stores, ['a.example', 'b.example']), [idOf('b.example')]);
    const jobs = await stores.write((tx) => tx.claim(1, 1, NOW));
    assert.deepEqual(await archive(stores, ['a.example']), []);
    await stores.write((tx) => tx.complete(jobs));
    assert.deepEqual(await archive(stores, ['a.example']), [idOf('a.example')]);
  });

  rule('of a change that failed nothing is archived', async ({ stores }) => {
    await saveAll(stores);
    const failed = stores.write(async (tx) => {
      await tx.archive([{ record: aRecord({ value: 'a.example' }) }], NOW);
      throw new Error('refused');
    });
    await assert.rejects(failed);
    assert.deepEqual(await valuesOf(stores), VALUES.toReversed());
    assert.deepEqual(await archivedValues(stores), []);
  });

  rule('stale indicators are those whose validUntil has passed, oldest first', async ({ stores }) => {
    await save(stores, [
      { value: 'a.example', validUntil: NOW - 1 },
      { value: 'b.example', validUntil: NOW },
      { value: 'c.example' },
      { value: 'd.example', validUntil: NOW - 9, tlp: 'RED' },
    ]);
    const found: string[] = [];
    for await (const { indicator } of stores.indicators.stale(NOW)) found.push(indicator.value);
    assert.deepEqual(found, ['a.example', 'd.example']);
  });

  rule(
    'a hidden object has its newest version only, in its collections, and owns nothing',
    async ({ stores, driver }) => {
      await stores.write((tx) => tx.collections.declare({ id: 'ics', definition: '{}' }));
      const about = (key: string, owner: string) =>
        aVersion(key, 0, { type: 'sighting', owner: `indicator--${idOf(owner)}` });
      await append(stores, [
        aVersion('a', 0, { collections: ['ics'] }),
        about('of a', 'a'),
        aVersion('b', 0),
        about('of b', 'b'),
        aVersion('a', 1),
      ]);
      const last = (await stores.feed.bounds('RED'))?.end.place ?? 0;
      await append(stores, [aVersion('a', 2), { id: `indicator--${idOf('a')}`, from: EVERYBODY }]);
      for (const versions of ['all', 'first', 'last'] as const) {
        assert.deepEqual((await readAll(stores, { versions })).map(nameOf), ['b', 'of b', 'a']);
        const inCollection = await readAll(stores, { versions, collection: 'ics', after: last });
        assert.deepEqual(inCollection.map(nameOf), ['a']);
      }
      assert.deepEqual((await readAll(stores, { until: last })).map(nameOf), ['b', 'of b']);
      const { problems } = await driver.maintenance.check();
      // The objects of the fixtures have no type.
      assert.deepEqual(
        problems.filter(({ rule }) => rule !== 'object-of-its-version'),
        [],
      );
    },
  );

  rule(
    'the last versions of archived indicators leave the feed by age, with what they own',
    async ({ stores }) => {
      await saveAll(stores);
      await append(
        stores,
        VALUES.flatMap((value) => [
          aVersion(value, 0),
          aVersion(`of ${value}`, 0, { type: 'sighting', owner: `indicator--${idOf(value)}` }),
        ]),
      );
      await archive(stores, ['a.example'], NOW + 1);
      await archive(stores, ['b.example'], NOW + 2);
      const forget = (before: number, limit = 10) =>
        stores.write((tx) => tx.forgetArchivedInFeed(before, limit));
      assert.equal(await forget(NOW + 1), 0);
      assert.equal(await forget(NOW + 9, 1), 1);
      assert.deepEqual((await readAll(stores)).map(nameOf), [
        'b.example',
        'of b.example',
        'c.example',
        'of c.example',
      ]);
      assert.equal(await forget(NOW + 9), 1);
      assert.equal(await forget(NOW + 9), 0);
      assert.deepEqual((await readAll(stores)).map(nameOf), ['c.example', 'of c.example']);
      assert.deepEqual(await archivedValues(stores), ['a.example', 'b.example']);
    },
  );

  rule('a backup holds the archive', async ({ stores, driver, empty, folder }) => {
    await saveAll(stores);
    await archive(stores, ['a.example']);
    const backup = `${folder}/backup`;
    await driver.maintenance.backUp(backup, () => NOW);
    const copy = empty();
    await copy.maintenance.restore(backup);
    const restored = await copy.openStores(() => NOW);
    try {
      assert.deepEqual(await archivedValues(restored), ['a.example']);
    } finally {
      await restored.close();
    }
  });
}

/** Rules that the fixtures break: ids without the secret of the store, objects without a type, nothing published. */
const BROKEN_BY_FIXTURES = ['id-of-its-value', 'object-of-its-version', 'last-version-of-archived'];

async function faultsOf({ maintenance }: StoreDriver): Promise<readonly string[]> {
  const { problems } = await maintenance.check();
  return problems.map(({ rule }) => rule).filter((rule) => !BROKEN_BY_FIXTURES.includes(rule));
}

function aMember(value: string, age: number): Partial<Indicator> {
  return { value, createdAt: NOW + age, tags: ['plant'] };
}

function saveAll(stores: Stores): Promise<void> {
  return save(stores, VALUES.map(aMember));
}

/** Archives the records of these values as they are saved. */
async function archive(stores: Stores, values: readonly string[], now = NOW + 9): Promise<readonly string[]> {
  const moved = await stores.write(async (tx) => {
    const stored = await tx.load(values.map((value) => idOf(value)));
    const writes = values.map((value) => ({
      record: stored.get(idOf(value))?.[0] ?? aWrite({ value }).record,
      objectId: `indicator--${idOf(value)}`,
    }));
    return tx.archive(writes, now);
  });
  return moved.map(({ indicatorId }) => indicatorId);
}

async function valuesOf(
  stores: Stores,
  filter: Parameters<typeof criteriaOf>[0] = {},
): Promise<readonly string[]> {
  const { rows } = await stores.indicators.search(criteriaOf(filter), 10);
  return rows.map(({ document }) => valueIn(document));
}

async function archivedValues(stores: Stores): Promise<readonly string[]> {
  const values: string[] = [];
  for await (const { record } of stores.archive.each()) values.push(record.indicator.value);
  return values;
}
