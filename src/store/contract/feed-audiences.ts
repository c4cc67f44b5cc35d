// Rules of the histories in the feed: what is not for a ceiling changes nothing that a reader with this ceiling gets.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Audience, CEILINGS, EVERYBODY, isReader, readersOf } from '../../domain/audience.ts';
import { uuidBeside } from '../../domain/indicator/identity.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { StoreDriver } from '../driver.ts';
import type { DateAdded, FeedAppend, FeedQuery, FeedVersion, Place } from '../feed.ts';
import type { Stores } from '../stores.ts';
import { append, nameOf, readAll } from './feed.ts';
import { FeedReaderModel } from './feed-reader-model.ts';
import { aVersion, idOf, NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

const COLLECTIONS = ['ics', 'other'];

/** The objects of a history. Some types have listings of their own in a driver. */
const OBJECTS: Readonly<Record<string, { readonly type: string; readonly owner?: string }>> = {
  a: { type: 'indicator' },
  b: { type: 'indicator' },
  c: { type: 'sighting', owner: stixId('a') },
  d: { type: 'relationship', owner: stixId('a') },
  e: { type: 'malware' },
};
const KEYS = Object.keys(OBJECTS);

/** Questions are asked after one of so many steps, and after the last. */
const ASKED_EVERY = 4;

/** @param histories how many random histories are compared. */
export function describeFeedAudiences(rule: Rule, histories: number): void {
  rule('a reader gets what a feed has that was written for this ceiling alone', ({ empty }) =>
    assertNonInterference(empty, histories),
  );

  rule('an object may have another newest version for each ceiling', async ({ stores }) => {
    const audience = readersOf('CLEAR', 'AMBER');
    await append(stores, [aVersion('a', 0), aVersion('b', 0)]);
    await append(stores, [aVersion('a', 1, { audience }), aVersion('b', 1, { audience: readersOf('RED') })]);
    const read = async (ceiling: TlpMarking, versions: 'last' | 'all') =>
      (await readAll(stores, { ceiling, versions })).map(
        (entry) => `${nameOf(entry)} ${Date.parse(entry.version) - NOW}`,
      );
    assert.deepEqual(await read('CLEAR', 'all'), ['a 1']);
    assert.deepEqual(await read('GREEN', 'last'), ['b 0', 'a 1']);
    assert.deepEqual(await read('AMBER', 'last'), ['a 0', 'b 0']);
    assert.deepEqual(await read('RED', 'last'), ['a 0', 'b 1']);
    await append(stores, [aVersion('a', 2)]);
    assert.deepEqual(await read('CLEAR', 'all'), ['a 1']);
    assert.deepEqual(await read('GREEN', 'all'), ['a 0', 'b 0', 'a 1', 'a 2']);
    assert.deepEqual(await read('RED', 'all'), ['a 0', 'b 0', 'b 1', 'a 2']);
  });

  rule('what a reader does not see moves no date and not the end of the feed', async ({ stores }) => {
    const hidden = Array.from({ length: 2_000 }, (_, index) =>
      aVersion(`${index}`, 0, { audience: readersOf('RED') }),
    );
    await append(stores, [aVersion('a', 0), ...hidden, aVersion('b', 0)]);
    const dates = async () => (await readAll(stores, { ceiling: 'GREEN' })).map(({ dateAdded }) => dateAdded);
    assert.deepEqual(await dates(), [NOW * 1_000, (NOW + 1) * 1_000]);
    const end = await stores.feed.bounds('GREEN', (NOW + 1) * 1_000);
    assert.equal(end?.after, end?.end.place);
    await append(stores, [aVersion('c', 0, { audience: readersOf('AMBER') })], NOW + 60_000);
    assert.deepEqual(await stores.feed.bounds('GREEN', (NOW + 1) * 1_000), end);
    assert.equal(await stores.feed.bounds('CLEAR'), undefined);
  });

  rule('an object that is hidden keeps its newest version, and nothing that it owns', async ({ stores }) => {
    const owner = stixId('a');
    const change = (age: number) => [
      aVersion('a', age),
      aVersion('c', age, { type: 'sighting', owner }),
      aVersion('b', age),
    ];
    await append(stores, change(0));
    await append(stores, change(1));
    const from = readersOf('GREEN', 'AMBER');
    await append(stores, [aVersion('a', 2, { audience: from }), { id: owner, from }]);
    const read = async (ceiling: TlpMarking, versions: 'last' | 'first' | 'all') =>
      (await readAll(stores, { ceiling, versions })).map(
        (entry) => `${nameOf(entry)} ${Date.parse(entry.version) - NOW}`,
      );
    assert.deepEqual(await read('GREEN', 'all'), ['b 0', 'b 1', 'a 2']);
    assert.deepEqual(await read('GREEN', 'last'), ['b 1', 'a 2']);
    assert.deepEqual(await read('GREEN', 'first'), ['b 0', 'a 2']);
    assert.deepEqual(await read('AMBER', 'all'), ['a 0', 'c 0', 'b 0', 'a 1', 'c 1', 'b 1']);
    assert.deepEqual(await read('AMBER', 'last'), ['a 1', 'c 1', 'b 1']);
    // An unknown object changes nothing.
    await append(stores, [{ id: stixId('unknown'), from }]);
    assert.deepEqual(await read('GREEN', 'last'), ['b 1', 'a 2']);
  });

  rule('a fill goes by what the lowest ceiling of a version sees', async ({ stores }) => {
    await append(stores, [
      aVersion('both', 0),
      aVersion('low', 0, { audience: readersOf('GREEN', 'AMBER') }),
      aVersion('high', 0, { audience: readersOf('AMBER') }),
    ]);
    await stores.write((tx) => tx.collections.declare({ id: 'ics', definition: '{}' }));
    const ids = ['both', 'low', 'high'].map(stixId);
    const fill = (audience: Audience) => stores.write((tx) => tx.collections.fill('ics', ids, audience));
    const read = async (ceiling: TlpMarking) =>
      (await readAll(stores, { ceiling, collection: 'ics' })).map(nameOf);
    await fill(readersOf('AMBER'));
    assert.deepEqual([await read('GREEN'), await read('AMBER')], [[], ['high']]);
    await fill(readersOf('GREEN', 'AMBER'));
    assert.deepEqual(
      [await read('GREEN'), await read('AMBER')],
      [
        ['both', 'low'],
        ['both', 'high'],
      ],
    );
  });

  rule('after a fill, an object stays in the collection for every ceiling', async ({ stores }) => {
    const audience = readersOf('AMBER');
    await append(stores, [aVersion('a', 0), aVersion('a', 1, { audience })]);
    await append(stores, [aVersion('of-a', 0, { type: 'sighting', audience, owner: stixId('a') })]);
    await stores.write((tx) => tx.collections.declare({ id: 'ics', definition: '{}' }));
    await stores.write((tx) => tx.collections.fill('ics', [stixId('a')], readersOf('GREEN', 'AMBER')));
    const read = async (ceiling: TlpMarking) =>
      (await readAll(stores, { ceiling, collection: 'ics' })).map(nameOf);
    assert.deepEqual([await read('GREEN'), await read('AMBER')], [['a'], ['a', 'of-a']]);
  });

  rule(
    'owned objects follow their owner, whether or not their UUIDs begin like its own',
    async ({ stores }) => {
      const owner = stixId('a');
      const beside = `sighting--${uuidBeside(idOf('a'), Buffer.alloc(32), 'sighting', 'of-a')}`;
      await append(stores, [
        aVersion('a', 0),
        aVersion('far', 0, { type: 'sighting', owner }),
        aVersion('near', 0, { id: beside, type: 'sighting', owner }),
        aVersion('not owned', 0, { id: beside.replace('sighting', 'note'), type: 'note' }),
      ]);
      await stores.write((tx) => tx.collections.declare({ id: 'ics', definition: '{}' }));
      await stores.write((tx) => tx.collections.fill('ics', [owner], readersOf('GREEN')));
      const read = async (collection?: string) =>
        (await readAll(stores, { ceiling: 'GREEN', ...(collection && { collection }) })).map(nameOf);
      assert.deepEqual(await read('ics'), ['a', 'far', 'near']);
      await append(stores, [{ id: owner, from: readersOf('GREEN') }]);
      assert.deepEqual(await read(), ['a', 'not owned']);
    },
  );
}

type Step =
  | { readonly append: readonly NewVersion[]; readonly advance: number }
  | { readonly hide: string; readonly from: Audience }
  | { readonly fill: readonly string[]; readonly collection: string }
  | { readonly compact: number; readonly limit: number };

interface NewVersion {
  readonly key: string;
  readonly age: number;
  readonly audience: Audience;
  readonly collections: readonly string[] | 'every';
  readonly onlyToJoin: boolean;
}

const audiences = fc.oneof(
  fc.constantFrom(...CEILINGS).map((marking) => readersOf(marking)),
  fc.constantFrom(...CEILINGS).map((marking) => EVERYBODY & ~readersOf(marking)),
  fc.integer({ min: 1, max: EVERYBODY }),
);
const keys = fc.constantFrom(...KEYS);
const collections = fc.oneof(
  { weight: 9, arbitrary: fc.subarray(COLLECTIONS) },
  { weight: 1, arbitrary: fc.constant('every' as const) },
);

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 7,
      arbitrary: fc.record({
        append: fc.array(
          fc.record({
            key: keys,
            age: fc.nat(9),
            audience: audiences,
            collections,
            onlyToJoin: fc.nat(5).map((chance) => chance === 0),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        advance: fc.integer({ min: -2, max: 9 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ hide: keys, from: audiences }) },
    {
      weight: 1,
      arbitrary: fc.record({ fill: fc.subarray(KEYS), collection: fc.constantFrom(...COLLECTIONS) }),
    },
    { weight: 1, arbitrary: fc.record({ compact: fc.nat(80), limit: fc.integer({ min: 1, max: 3 }) }) },
  ),
  { minLength: 1, maxLength: 12 },
);

/** The numbers choose among the dates that the reader has seen. */
type Question = Pick<FeedQuery, 'ids' | 'types' | 'versions' | 'collection' | 'limit'> & {
  readonly from?: number;
  readonly to: number;
  readonly off: number;
};

const versionOf = (age: number) => aVersion('', age).version;
const versions = fc.oneof(
  fc.constantFrom('last' as const, 'first' as const, 'all' as const),
  fc.uniqueArray(fc.oneof(fc.constantFrom('last', 'first'), fc.nat(40).map(versionOf)), { maxLength: 4 }),
);
const questions: fc.Arbitrary<readonly Question[]> = fc.array(
  fc.record(
    {
      from: fc.nat(),
      to: fc.oneof(fc.constant(0), fc.nat()),
      off: fc.constantFrom(-1, 0, 0, 1),
      ids: fc.uniqueArray(fc.constantFrom(...KEYS.map(stixId), 'x'), { minLength: 1, maxLength: 3 }),
      types: fc.uniqueArray(fc.constantFrom('indicator', 'sighting', 'malware', 'tool'), { maxLength: 3 }),
      versions,
      collection: fc.constantFrom(...COLLECTIONS, 'never declared'),
      limit: fc.integer({ min: 1, max: 9 }),
    },
    { requiredKeys: ['to', 'off', 'limit'] },
  ),
  { minLength: 3, maxLength: 6 },
);

/** Compares the store with one naive feed for each ceiling, over random histories. */
async function assertNonInterference(empty: () => StoreDriver, histories: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(steps, questions, async (happened, asked) => {
      const driver = empty();
      const stores = await driver.openStores(() => NOW);
      try {
        const history = new History(stores);
        await history.begin();
        for (const [index, step] of happened.entries()) {
          await history.take(step, index);
          const isAsked = index % ASKED_EVERY === 1 || index === happened.length - 1;
          for (const ceiling of CEILINGS) await history.compare(ceiling, isAsked ? asked : []);
        }
      } finally {
        await stores.close();
      }
      assert.deepEqual((await driver.maintenance.check()).problems, []);
    }),
    // Shrinking would take minutes.
    { numRuns: histories, endOnFailure: true },
  );
}

/** What happens to a feed and to the naive feed of each reader. */
class History {
  readonly #stores: Stores;
  readonly #readers = new Map(CEILINGS.map((ceiling) => [ceiling, new FeedReaderModel(COLLECTIONS)]));
  #now: Instant = NOW;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  begin(): Promise<void> {
    return this.#stores.write(async (tx) => {
      for (const id of COLLECTIONS) await tx.collections.declare({ id, definition: '{}' });
    });
  }

  async take(step: Step, index: number): Promise<void> {
    if ('append' in step) {
      this.#now += step.advance;
      const now = this.#now;
      const entries = step.append.map((version) => entryOf(version, index));
      await this.#stores.write((tx) => tx.append(entries, now));
      for (const entry of entries) this.#change(entry.audience, (reader) => reader.append(entry, now));
    } else if ('hide' in step) {
      const { hide, from } = step;
      await this.#stores.write((tx) => tx.append([{ id: stixId(hide), from }], this.#now));
      this.#change(from, (reader) => reader.hide(stixId(hide)));
    } else if ('fill' in step) {
      const ids = step.fill.map(stixId);
      await this.#stores.write((tx) => tx.collections.fill(step.collection, ids, EVERYBODY));
      this.#change(EVERYBODY, (reader) => reader.fill(step.collection, ids));
    } else {
      await this.#compact(NOW + step.compact, step.limit);
    }
  }

  /** Compaction goes by places, so it is compared where dates and places lie on the same side of the instant. */
  async #compact(before: Instant, limit: number): Promise<void> {
    for (const ceiling of CEILINGS) {
      for (const { place, dateAdded } of await this.#log(ceiling))
        if (dateAdded < before * 1_000 && place >= before * 1_000) return;
    }
    while ((await this.#stores.write((tx) => tx.compactFeed(before, limit))).more);
    this.#change(EVERYBODY, (reader) => reader.compact(before));
  }

  #change(audience: Audience, change: (reader: FeedReaderModel) => void): void {
    for (const [ceiling, reader] of this.#readers) if (isReader(ceiling, audience)) change(reader);
  }

  #log(ceiling: TlpMarking): Promise<readonly FeedVersion[]> {
    return readAll(this.#stores, { ceiling, versions: 'all' });
  }

  async compare(ceiling: TlpMarking, asked: readonly Question[]): Promise<void> {
    const reader = this.#readers.get(ceiling) ?? new FeedReaderModel(COLLECTIONS);
    const bounds = await this.#stores.feed.bounds(ceiling);
    assert.equal(bounds?.end.dateAdded, reader.last, `the end of the feed for ${ceiling}`);
    const places = new Map((await this.#log(ceiling)).map(({ dateAdded, place }) => [dateAdded, place]));
    assert.deepEqual([...places.keys()], reader.dates, `the dates of ${ceiling}`);
    for (const question of asked) await this.#ask(ceiling, reader, question, places);
  }

  async #ask(
    ceiling: TlpMarking,
    reader: FeedReaderModel,
    { from, to, off, limit, ...rest }: Question,
    places: ReadonlyMap<DateAdded, Place>,
  ): Promise<void> {
    const dates = reader.dates;
    const until = dates.at(-1 - (to % (dates.length || 1)));
    if (until === undefined) return;
    const addedAfter = from === undefined ? undefined : (dates[from % dates.length] ?? 0) + off;
    const bounds = await this.#stores.feed.bounds(ceiling, addedAfter);
    const found = await readAll(this.#stores, {
      ...rest,
      limit,
      ceiling,
      after: bounds?.after ?? 0,
      until: places.get(until) ?? 0,
    });
    assert.deepEqual(
      found.map(({ id, version, object, dateAdded }) => ({ id, version, object, dateAdded })),
      reader.query({ ...rest, until, ...(addedAfter !== undefined && { addedAfter }) }).map(asFound),
      `what ${ceiling} finds`,
    );
  }
}

function asFound({ id, version, object, dateAdded }: ReturnType<FeedReaderModel['query']>[number]): object {
  return { id, version, object, dateAdded };
}

function entryOf({ key, age, audience, onlyToJoin, collections }: NewVersion, index: number): FeedAppend {
  const kind = OBJECTS[key] ?? { type: '' };
  const entry = aVersion(key, age + 3 * index, { ...kind, audience, collections });
  // Two readers may get different objects under one id and version.
  const { id, version } = entry;
  const object = JSON.stringify({ id, type: kind.type, modified: version, audience });
  return { ...entry, object, ...(onlyToJoin && { onlyToJoin }) };
}

function stixId(key: string): string {
  return `indicator--${idOf(key)}`;
}
