// Random queries of the feed, compared with a naive evaluation over everything that was appended.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isVisible } from '../../domain/tlp.ts';
import { TLP_MARKINGS, type TlpMarking } from '../../domain/vocabulary.ts';
import type { DateAdded, FeedAppend, FeedQuery } from '../feed.ts';
import type { Stores } from '../stores.ts';
import { append, readAll } from './feed.ts';
import { aVersion, idOf, NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

const COLLECTIONS = ['ics', 'other'];
/** The type of each object. Some types have listings of their own in a driver. */
const TYPES: Readonly<Record<string, string>> = {
  a: 'indicator',
  b: 'indicator',
  c: 'sighting',
  d: 'relationship',
  e: 'malware',
  f: 'identity',
};
const KEYS = Object.keys(TYPES);
const MARKINGS = TLP_MARKINGS.slice(1);
/** Larger than any result here. */
const APPENDED = 80;

interface Row {
  readonly key: string;
  readonly version: string;
  readonly dateAdded: DateAdded;
  readonly supersededAt: DateAdded;
  readonly tlp: TlpMarking;
  readonly collections: readonly string[];
  /** The collections that its object joined with this version. '' is the whole feed. */
  readonly joined: readonly string[];
}

export function describeFeedQueries(rule: Rule): void {
  rule('what a query finds is what the log says', async ({ stores }) => {
    const rows = await fill(stores);
    const places = rows.map(({ dateAdded }) => dateAdded);
    await fc.assert(
      fc.asyncProperty(queryOver(rows), async (query) => {
        const found = await readAll(stores, query);
        assert.deepEqual(
          found.map(({ dateAdded }) => places.indexOf(dateAdded)),
          rows.filter((row) => isFound(row, query)).map((row) => rows.indexOf(row)),
        );
      }),
      { numRuns: 400 },
    );
  });

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
    const inSet = (set: number, age: number, changes: Partial<FeedAppend> = {}) =>
      aVersion(`${set}`, age, {
        collections: collections.filter((_, index) => (set >> index) & 1),
        ...changes,
      });
    const sets = Array.from({ length: 2 ** collections.length }, (_, set) => set);
    await append(stores, [
      ...sets.map((set) => inSet(set, 0)),
      aVersion('malware', 0, { type: 'malware', collections: ['rare'] }),
      ...sets.map((set) => inSet(set, 1, { tlp: set % 100 === 0 ? 'RED' : 'AMBER' })),
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

/** Random versions of few objects, in random collections and under random markings. */
async function fill(stores: Stores): Promise<readonly Row[]> {
  await stores.write(async (tx) => {
    for (const id of COLLECTIONS) await tx.collections.declare({ id, definition: '{}' });
  });
  const appended = fc.sample(
    fc.record({
      key: fc.constantFrom(...KEYS),
      tlp: fc.constantFrom(...MARKINGS),
      collections: fc.subarray(COLLECTIONS),
    }),
    { numRuns: APPENDED, seed: 7 },
  );
  for (const [age, { key, tlp, collections }] of appended.entries())
    await append(stores, [aVersion(key, age, { type: TYPES[key] ?? '', tlp, collections })], NOW + age);

  const places = await readAll(stores, { versions: 'all' });
  return appended.map(({ key, collections }, index): Row => {
    const same = (entry: { readonly key: string }) => entry.key === key;
    const before = appended.slice(0, index).filter(same);
    const later = appended.findIndex((entry, place) => place > index && same(entry));
    const joinedBefore = new Set(before.flatMap((entry) => entry.collections));
    const all = new Set([...joinedBefore, ...collections]);
    return {
      key,
      version: places[index]?.version ?? '',
      dateAdded: places[index]?.dateAdded ?? 0,
      supersededAt: places[later]?.dateAdded ?? Number.POSITIVE_INFINITY,
      // The marking of the newest version governs all versions.
      tlp: appended.findLast(same)?.tlp ?? 'RED',
      collections: [...all],
      joined: [...(before.length === 0 ? [''] : []), ...[...all].filter((one) => !joinedBefore.has(one))],
    };
  });
}

type Query = Partial<FeedQuery> & Pick<FeedQuery, 'until' | 'ceiling'>;

function queryOver(rows: readonly Row[]): fc.Arbitrary<Query> {
  const place = fc.constantFrom(...rows.map(({ dateAdded }) => dateAdded));
  const version = fc.oneof(
    fc.constantFrom('last', 'first'),
    fc.constantFrom(...rows.map(({ version }) => version)),
  );
  return fc.record(
    {
      until: place,
      ceiling: fc.constantFrom(...MARKINGS),
      after: place,
      types: fc.uniqueArray(fc.constantFrom(...Object.values(TYPES), 'unknown'), {
        minLength: 1,
        maxLength: 4,
      }),
      ids: fc.uniqueArray(fc.constantFrom(...KEYS.map(stixId), 'x'), { minLength: 1, maxLength: 4 }),
      versions: fc.oneof(
        fc.constantFrom('last' as const, 'first' as const, 'all' as const),
        fc.uniqueArray(version, { minLength: 1, maxLength: 4 }),
      ),
      collection: fc.constantFrom(...COLLECTIONS, 'never declared'),
      limit: fc.integer({ min: 1, max: APPENDED + 1 }),
    },
    { requiredKeys: ['until', 'ceiling'] },
  );
}

function isFound(row: Row, query: Query): boolean {
  const { after = 0, until, ceiling, types, ids, versions = 'last', collection } = query;
  return (
    row.dateAdded > after &&
    row.dateAdded <= until &&
    isVisible(row.tlp, ceiling) &&
    (types?.includes(TYPES[row.key] ?? '') ?? true) &&
    (ids?.includes(stixId(row.key)) ?? true) &&
    (collection === undefined || row.collections.includes(collection)) &&
    (versions === 'all' ||
      [versions].flat().some((version) => {
        if (version === 'last') return row.supersededAt > until;
        if (version === 'first') return row.joined.includes(collection ?? '');
        return row.version === version;
      }))
  );
}

function stixId(key: string): string {
  return `indicator--${idOf(key)}`;
}
