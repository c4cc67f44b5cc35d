// Rules of links in the feed log: an object with two owners is where both are, for as long as both are there.

import assert from 'node:assert/strict';
import { EVERYBODY, readersOf } from '../../domain/audience.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend, FeedQuery } from '../feed.ts';
import type { Stores } from '../stores.ts';
import { append, nameOf, readAll } from './feed.ts';
import { aVersion, idOf, NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

const READERS = readersOf('GREEN', 'RED');

export function describeFeedLinks(rule: Rule): void {
  rule(
    'a link is in the collections that both ends share, from the last one that joins',
    async ({ stores }) => {
      await declare(stores, 'ics', 'other');
      const both = (age: number) => [
        aVersion('a', age, { collections: ['ics', 'other'] }),
        aVersion('b', age, { collections: ['ics'] }),
        aVersion('c', age),
      ];
      await append(stores, [...both(0), link('a', 'b', 0), link('a', 'c', 0), link('c', 'b', 0)]);
      const read = (collection: string) => names(stores, { collection });
      assert.deepEqual(await read('ics'), ['a', 'b', 'a-b']);
      assert.deepEqual(await read('other'), ['a']);
      const joining = { onlyToJoin: true } as const;
      await append(stores, [aVersion('c', 1, { collections: ['other'] }), link('c', 'b', 1, joining)]);
      await append(stores, [link('a', 'c', 1, joining), link('a', 'b', 1, joining)]);
      assert.deepEqual(await read('ics'), ['a', 'b', 'a-b']);
      assert.deepEqual(await read('other'), ['a', 'c', 'a-c']);
    },
  );

  rule('a fill takes a link along with the last of its ends', async ({ stores }) => {
    await append(stores, [aVersion('a', 0), aVersion('b', 0), link('a', 'b', 0), link('a', 'b', 1)]);
    await declare(stores, 'ics');
    for (const [end, found] of [
      ['b', ['b']],
      ['a', ['a', 'b', 'a-b']],
    ] as const) {
      await stores.write((tx) => tx.collections.fill('ics', [stixId(end)], EVERYBODY));
      assert.deepEqual(await names(stores, { collection: 'ics' }), found);
    }
  });

  for (const end of ['a', 'b']) {
    rule(`a link is hidden and forgotten with either end: ${end}`, async ({ stores }) => {
      const others = [aVersion('c', 0), link('c', 'b', 0), link('a', 'c', 0)];
      await append(stores, [
        aVersion('a', 0),
        aVersion('b', 0),
        link('a', 'b', 0),
        link('a', 'b', 1),
        ...others,
      ]);
      await append(stores, [{ id: stixId(end), from: READERS }]);
      const rest = end === 'a' ? ['a', 'b', 'c', 'c-b'] : ['a', 'b', 'c', 'a-c'];
      assert.deepEqual(await names(stores, { ceiling: 'GREEN', versions: 'all' }), rest);
      const all = ['a', 'b', 'a-b', 'a-b', 'c', 'c-b', 'a-c'];
      assert.deepEqual(await names(stores, { ceiling: 'RED', versions: 'all' }), all);
    });
  }

  rule('the links of an object, or one link, can be taken from readers', async ({ stores }) => {
    const owned = aVersion('of-b', 0, { type: 'sighting', owner: stixId('b') });
    await append(stores, [aVersion('a', 0), aVersion('b', 0), owned, link('a', 'b', 0), link('b', 'a', 0)]);
    await append(stores, [{ id: linkId('b', 'a'), from: READERS, removes: 'object' }]);
    assert.deepEqual(await names(stores, { ceiling: 'GREEN' }), ['a', 'b', 'of-b', 'a-b']);
    await append(stores, [{ id: stixId('b'), from: READERS, removes: 'links' }]);
    assert.deepEqual(await names(stores, { ceiling: 'GREEN' }), ['a', 'b', 'of-b']);
    assert.deepEqual(await names(stores, { ceiling: 'RED' }), ['a', 'b', 'of-b', 'a-b', 'b-a']);
    // It is new to those who lost it.
    await append(stores, [link('a', 'b', 1, { isSaidBy: () => true })]);
    assert.deepEqual(await ages(stores, 'GREEN'), [1]);
    assert.deepEqual(await ages(stores, 'RED'), [0, 0]);
  });

  rule('a version is left out for readers whose newest one says the same', async ({ stores }) => {
    await append(stores, [aVersion('a', 0), aVersion('b', 0)]);
    const said: string[] = [];
    const isSaidBy = (newest: string) => {
      said.push(newest);
      return newest === '{"count":1}';
    };
    const version = (age: number, object: string, audience = EVERYBODY) =>
      link('a', 'b', age, { object, audience, isSaidBy });
    await append(stores, [version(0, '{"count":1}')]);
    await append(stores, [version(1, '{"count":2}', readersOf('RED'))]);
    assert.deepEqual([await ages(stores, 'GREEN'), await ages(stores, 'RED')], [[0], [0]]);
    assert.deepEqual(said, ['{"count":1}']);
    await append(stores, [link('a', 'b', 2, { audience: readersOf('RED') })]);
    await append(stores, [version(3, '{}')]);
    assert.deepEqual([await ages(stores, 'GREEN'), await ages(stores, 'RED')], [[0], [3]]);
  });
}

function link(source: string, target: string, age: number, changes: Partial<FeedAppend> = {}): FeedAppend {
  return aVersion(`${source}-${target}`, age, {
    id: linkId(source, target),
    type: 'relationship',
    owner: stixId(source),
    secondOwner: stixId(target),
    ...changes,
  });
}

function linkId(source: string, target: string): string {
  return `relationship--${idOf(`${source}-${target}`)}`;
}

function stixId(key: string): string {
  return `indicator--${idOf(key)}`;
}

async function names(stores: Stores, query: Partial<FeedQuery>): Promise<string[]> {
  return (await readAll(stores, query)).map(nameOf);
}

async function ages(stores: Stores, ceiling: TlpMarking): Promise<number[]> {
  const entries = await readAll(stores, { ceiling, types: ['relationship'] });
  return entries.map(({ version }) => Date.parse(version) - NOW);
}

function declare(stores: Stores, ...ids: readonly string[]): Promise<void> {
  return stores.write(async (tx) => {
    for (const id of ids) await tx.collections.declare({ id, definition: '{}' });
  });
}
