// Rules of the feed log: the order in which versions are added, and pages of it.

import assert from 'node:assert/strict';
import { readersOf } from '../../domain/audience.ts';
import type { Instant } from '../../domain/instant.ts';
import { isVisible } from '../../domain/tlp.ts';
import { TLP_MARKINGS, type TlpMarking } from '../../domain/vocabulary.ts';
import type {
  FeedBlock,
  FeedChange,
  FeedEntry,
  FeedObject,
  FeedPage,
  FeedQuery,
  FeedVersion,
  Place,
} from '../feed.ts';
import { addSums, NO_DATES, sumsOfDate } from '../rules/date-sums.ts';
import type { Stores } from '../stores.ts';
import { aVersion, idOf, NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

/** More pages than any walk in these rules has. */
const LONGEST_WALK = 1_000;

export function describeFeed(rule: Rule): void {
  rule('an empty feed has no bounds and one empty page', async ({ stores }) => {
    assert.equal(await stores.feed.bounds('RED'), undefined);
    assert.deepEqual(await pageOf(stores, { until: NOW * 1_000, limit: 10, ceiling: 'RED' }), {
      entries: [],
      more: false,
    });
  });

  rule('an entry comes back as it was appended', async ({ stores }) => {
    const version = aVersion('a', 0, { type: 'sighting', object: '{"name":"ж 😀 \\u0000"}' });
    assert.equal(await append(stores, [version]), 1);
    const { id, object } = version;
    const entry = { place: NOW * 1_000, dateAdded: NOW * 1_000 };
    assert.deepEqual(await readAll(stores), [{ ...entry, id, version: version.version, object }]);
    assert.deepEqual((await stores.feed.bounds('RED'))?.end, entry);
  });

  rule('entries are added in the order given, each later than the one before', async ({ stores }) => {
    await append(stores, [aVersion('a', 0), aVersion('b', 0)], NOW);
    await append(stores, [aVersion('c', 0)], NOW);
    const entries = await readAll(stores);
    assert.deepEqual(entries.map(nameOf), ['a', 'b', 'c']);
    assertIncreasing(entries);
  });

  rule('an entry is never added before its version was modified', async ({ stores }) => {
    await append(stores, [aVersion('ahead', 5_000), aVersion('behind', -5_000)], NOW);
    const entries = await readAll(stores);
    assert.ok(Number(entries[0]?.dateAdded) >= (NOW + 5_000) * 1_000);
    assertIncreasing(entries);
  });

  rule('a clock that stands still or steps back does not hold the feed back', async ({ stores }) => {
    for (const [index, now] of [NOW, NOW, NOW - 60_000, NOW - 120_000, NOW + 1].entries()) {
      await append(stores, [aVersion(`${index}`, -200_000)], now);
    }
    const entries = await readAll(stores);
    assert.deepEqual(entries.map(nameOf), ['0', '1', '2', '3', '4']);
    assertIncreasing(entries);
  });

  rule('a slow feed keeps to the clock, on whole milliseconds', async ({ stores }) => {
    for (const step of [0, 10, 20]) await append(stores, [aVersion(`${step}`, step)], NOW + step);
    const added = (await readAll(stores)).map(({ dateAdded }) => dateAdded);
    assert.deepEqual(added, [NOW * 1_000, (NOW + 10) * 1_000, (NOW + 20) * 1_000]);
  });

  rule(
    'a burst runs ahead by a second at most, then a hundred versions share a millisecond',
    async ({ stores }) => {
      await append(
        stores,
        Array.from({ length: 6_000 }, (_, index) => aVersion(`${index}`, 0)),
      );
      await append(
        stores,
        Array.from({ length: 4_000 }, (_, index) => aVersion(`${index + 6_000}`, 0)),
      );
      const entries = await readAll(stores);
      assert.equal(entries.length, 10_000);
      assertIncreasing(entries);
      const perMillisecond = new Map<number, number>();
      for (const { dateAdded } of entries) {
        const millisecond = Math.floor(dateAdded / 1_000);
        perMillisecond.set(millisecond, (perMillisecond.get(millisecond) ?? 0) + 1);
      }
      assert.ok(Math.max(...perMillisecond.values()) <= 100);
      assert.equal(perMillisecond.get(NOW), 1);
      // The first thousand run ahead by one second. The other nine thousand follow within ninety milliseconds.
      assert.ok(Math.max(...perMillisecond.keys()) <= NOW + 1_000 + 100);
    },
  );

  rule('a page holds what was added after `after`, up to and with `until`', async ({ stores }) => {
    await append(
      stores,
      ['a', 'b', 'c', 'd'].map((key) => aVersion(key, 0)),
    );
    const [a, b, c, d] = (await readAll(stores)).map(({ place }) => place);
    const names = async (after: number | undefined, until: number | undefined) =>
      (await readAll(stores, { ...(after === undefined ? {} : { after }), until: until ?? 0 })).map(nameOf);
    assert.deepEqual(await names(a, d), ['b', 'c', 'd']);
    assert.deepEqual(await names(undefined, c), ['a', 'b', 'c']);
    assert.deepEqual(await names(b, c), ['c']);
    assert.deepEqual(await names(c, c), []);
    assert.deepEqual(await names(Number(a) - 1, Number(d) - 1), ['a', 'b', 'c']);
  });

  rule('pages of every size hold every entry once, and more says whether one is left', async ({ stores }) => {
    const keys = Array.from({ length: 12 }, (_, index) => `${index}`);
    await append(
      stores,
      keys.map((key) => aVersion(key, 0)),
    );
    for (let limit = 1; limit <= 13; limit++) {
      const pages = await walk(stores, { limit });
      assert.equal(pages.length, Math.ceil(12 / limit));
      assert.deepEqual(pages.flat().map(nameOf), keys);
    }
  });

  rule('ids and types narrow a page, together', async ({ stores }) => {
    await append(stores, [
      aVersion('a', 0),
      aVersion('b', 0, { type: 'sighting' }),
      aVersion('c', 0, { type: 'identity' }),
    ]);
    const names = async (query: Partial<FeedQuery>) => (await readAll(stores, query)).map(nameOf);
    const ids = ['a', 'b'].map((key) => `indicator--${idOf(key)}`);
    assert.deepEqual(await names({ types: ['sighting', 'identity'] }), ['b', 'c']);
    assert.deepEqual(await names({ ids }), ['a', 'b']);
    assert.deepEqual(await names({ ids, types: ['sighting', 'identity'] }), ['b']);
    assert.deepEqual(await names({ ids: ["' or 1=1"] }), []);
    assert.deepEqual(await names({ types: [] }), []);
  });

  rule('what is marked above the ceiling is not in the feed', async ({ stores }) => {
    await append(
      stores,
      TLP_MARKINGS.map((tlp) => aVersion(tlp, 0, { audience: readersOf(tlp) })),
    );
    for (const ceiling of TLP_MARKINGS) {
      const visible = TLP_MARKINGS.filter((tlp) => isVisible(tlp, ceiling));
      for (const versions of ['last', 'first', 'all'] as const) {
        assert.deepEqual((await readAll(stores, { ceiling, versions })).map(nameOf), visible, ceiling);
      }
    }
  });

  rule('a walk up to `until` sees one state, whatever is added meanwhile', async ({ stores }) => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    await append(
      stores,
      keys.map((key) => aVersion(key, 0)),
    );
    for (const versions of ['last', 'first', 'all'] as const) {
      const until = await endOf(stores);
      const before = await readAll(stores, { until, versions });
      const first = await pageOf(stores, { until, limit: 2, ceiling: 'RED', versions });
      const age = versions.length * 1_000;
      await append(
        stores,
        [aVersion('a', age), aVersion('d', age), aVersion(`new ${versions}`, age)],
        NOW + age,
      );
      const after = first.entries.at(-1)?.place ?? 0;
      const rest = await readAll(stores, { after, until, versions });
      assert.deepEqual([...first.entries, ...rest], before, versions);
    }
  });

  rule('a poll after the last walk brings what came since, each once', async ({ stores }) => {
    await append(stores, [aVersion('a', 0), aVersion('b', 0)]);
    const until = await endOf(stores);
    await append(stores, [aVersion('b', 1), aVersion('c', 0), aVersion('b', 2)]);
    const entries = await readAll(stores, { after: until });
    assert.deepEqual(
      entries.map((entry) => [nameOf(entry), entry.version]),
      [
        ['c', aVersion('c', 0).version],
        ['b', aVersion('b', 2).version],
      ],
    );
  });
}

/** The place of the newest entry that a reader may see; 0 if there is none. */
export async function endOf(stores: Stores, ceiling: TlpMarking = 'RED'): Promise<Place> {
  return (await stores.feed.bounds(ceiling))?.end.place ?? 0;
}

/** Appends in one transaction. Resolves to the number of versions that are new to a reader with ceiling RED. */
export async function append(
  stores: Stores,
  changes: readonly FeedChange[],
  now: Instant = NOW,
): Promise<number> {
  const after = await endOf(stores);
  await stores.write((tx) => tx.append(changes, now));
  const query = { until: Number.MAX_SAFE_INTEGER, limit: 10_000, ceiling: 'RED', versions: 'all' } as const;
  return (await stores.feed.versions({ ...query, after })).entries.length;
}

/** An entry of readAll, which reads it in both ways. */
export type WholeEntry = FeedVersion & FeedObject;

/** One page, read by `versions`, by `objects` and by `blocks`. All must find the same entries. */
async function pageOf(stores: Stores, query: FeedQuery): Promise<FeedPage<WholeEntry>> {
  const versions = await stores.feed.versions(query);
  const objects = await stores.feed.objects(query);
  assert.equal(versions.more, objects.more);
  const places = (page: FeedPage<FeedVersion | FeedObject>) =>
    page.entries.map(({ place, dateAdded }) => ({ place, dateAdded }));
  assert.deepEqual(places(versions), places(objects));
  const entries = versions.entries.map((version, index) => ({
    ...version,
    object: objects.entries[index]?.object ?? '',
  }));
  assertSameInBlocks(await stores.feed.blocks(query), objects);
  return { entries, more: versions.more };
}

function assertSameInBlocks(page: FeedPage<FeedBlock>, { entries, more }: FeedPage<FeedObject>): void {
  const texts = page.entries.map(({ objects }) => Buffer.from(objects).toString());
  const end = (entry: FeedEntry | undefined) => entry && { place: entry.place, dateAdded: entry.dateAdded };
  assert.equal(page.more, more);
  assert.equal(texts.join(), entries.map(({ object }) => object).join());
  assert.deepEqual(end(page.entries.at(-1)), end(entries.at(-1)));
  assert.equal(page.entries[0]?.first, entries[0]?.dateAdded);
  assert.deepEqual(
    page.entries.map(({ sums }) => sums).reduce(addSums, NO_DATES),
    entries.map(({ dateAdded }) => sumsOfDate(dateAdded)).reduce(addSums, NO_DATES),
  );
}

/** All entries of a query. Default: the newest version of every object, for a reader with ceiling RED. */
export async function readAll(stores: Stores, query: Partial<FeedQuery> = {}): Promise<WholeEntry[]> {
  return (await walk(stores, { limit: 5_000, ...query })).flat();
}

/** The name that aVersion gave the object. */
export function nameOf({ object }: FeedObject): string {
  return JSON.parse(object).name;
}

async function walk(stores: Stores, query: Partial<FeedQuery> & { limit: number }): Promise<WholeEntry[][]> {
  const until = query.until ?? (await endOf(stores, query.ceiling));
  const pages: WholeEntry[][] = [];
  let after = query.after;
  for (;;) {
    const at = after === undefined ? {} : { after };
    const { entries, more } = await pageOf(stores, { ceiling: 'RED', ...query, ...at, until });
    pages.push([...entries]);
    if (!more) return pages;
    assert.ok(pages.length < LONGEST_WALK, 'the walk does not end');
    after = entries.at(-1)?.place;
  }
}

function assertIncreasing(entries: readonly FeedVersion[]): void {
  for (const [index, { dateAdded }] of entries.entries()) {
    assert.ok(dateAdded > (entries[index - 1]?.dateAdded ?? 0), `entry ${index}`);
  }
}
