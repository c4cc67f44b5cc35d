// Rules of the versions of one object in the feed log: which are kept and which a query selects.

import assert from 'node:assert/strict';
import { readersOf } from '../../domain/audience.ts';
import { append, endOf, readAll, type WholeEntry } from './feed.ts';
import { aVersion, NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

export function describeFeedVersions(rule: Rule): void {
  rule(
    'a version that the feed holds already is left out, in one call and in a later one',
    async ({ stores }) => {
      const version = aVersion('a', 0);
      assert.equal(await append(stores, [version, aVersion('b', 0), version]), 2);
      const entries = await readAll(stores);
      assert.equal(await append(stores, [{ ...version, object: '{}' }], NOW + 10), 0);
      assert.deepEqual(await readAll(stores, { ceiling: 'GREEN' }), entries);
      // An older version is recognised too.
      assert.equal(await append(stores, [aVersion('a', 1)]), 1);
      assert.equal(await append(stores, [version]), 0);
      assert.equal((await readAll(stores, { versions: 'all' })).length, 3);
    },
  );

  rule('one call may append an object, what is about it, and both again', async ({ stores }) => {
    const owner = aVersion('owner', 0).id;
    const about = (key: string, age: number) => aVersion(key, age, { owner });
    const read = async (ceiling: 'GREEN' | 'RED') => ages(await readAll(stores, { ceiling }));
    const first = [about('x', 0), aVersion('owner', 0), about('x', 0), about('x', 1), about('y', 0)];
    assert.equal(await append(stores, first), 4);
    assert.deepEqual(await read('GREEN'), ['owner 0', 'x 1', 'y 0']);
    // The owner is hidden from some readers between two versions of an object it owns.
    const from = readersOf('GREEN', 'RED');
    const raised = [about('x', 1), about('x', 2), aVersion('owner', 1), { id: owner, from }, about('x', 3)];
    assert.equal(await append(stores, raised), 3);
    assert.deepEqual(await read('GREEN'), ['owner 1', 'x 3']);
    assert.deepEqual(await read('RED'), ['y 0', 'owner 1', 'x 3']);
    assert.equal(await append(stores, [about('x', 3), about('y', 0), about('y', 1)]), 1);
    assert.deepEqual(await read('GREEN'), ['owner 1', 'x 3', 'y 1']);
    assert.deepEqual(await read('RED'), ['owner 1', 'x 3', 'y 1']);
  });

  rule('last, first, all and named versions of an object', async ({ stores }) => {
    await append(stores, [aVersion('a', 0), aVersion('b', 0), aVersion('a', 1), aVersion('a', 2)]);
    const [first, second, third] = [0, 1, 2].map((age) => aVersion('a', age).version);
    const read = async (versions?: 'last' | 'first' | 'all' | string[]) =>
      ages(await readAll(stores, versions === undefined ? {} : { versions }));
    assert.deepEqual(await read(), ['b 0', 'a 2']);
    assert.deepEqual(await read('last'), ['b 0', 'a 2']);
    assert.deepEqual(await read('first'), ['a 0', 'b 0']);
    assert.deepEqual(await read('all'), ['a 0', 'b 0', 'a 1', 'a 2']);
    assert.deepEqual(await read([String(second)]), ['a 1']);
    assert.deepEqual(await read([String(third), String(first)]), ['a 0', 'b 0', 'a 2']);
    assert.deepEqual(await read(['2000-01-01T00:00:00.000Z']), []);
  });

  rule(
    'the last version is judged over the whole walk, then asked whether it was added after',
    async ({ stores }) => {
      await append(stores, [aVersion('a', 0), aVersion('b', 0)]);
      const before = await endOf(stores);
      await append(stores, [aVersion('a', 1), aVersion('a', 2)]);
      const between = (await readAll(stores, { versions: 'all' }))[2]?.place ?? 0;
      assert.deepEqual(ages(await readAll(stores, { until: before })), ['a 0', 'b 0']);
      assert.deepEqual(ages(await readAll(stores, { until: between })), ['b 0', 'a 1']);
      assert.deepEqual(ages(await readAll(stores, { after: before })), ['a 2']);
      assert.deepEqual(ages(await readAll(stores, { after: before, versions: 'first' })), []);
      assert.deepEqual(ages(await readAll(stores, { after: before, until: between })), ['a 1']);
    },
  );

  rule('a version that comes after a newer one is added, yet is never the last', async ({ stores }) => {
    await append(stores, [aVersion('a', 0), aVersion('a', 2)]);
    assert.equal(await append(stores, [aVersion('a', 1)]), 1);
    const until = await endOf(stores);
    assert.deepEqual(ages(await readAll(stores)), ['a 2']);
    assert.deepEqual(ages(await readAll(stores, { versions: 'all', ceiling: 'GREEN' })), [
      'a 0',
      'a 2',
      'a 1',
    ]);
    await append(stores, [aVersion('a', 3)]);
    assert.deepEqual(ages(await readAll(stores)), ['a 3']);
    assert.deepEqual(ages(await readAll(stores, { until })), ['a 2']);
  });
}

/** Name and age of each entry, as given to aVersion. */
function ages(entries: readonly WholeEntry[]): string[] {
  return entries.map(({ version, object }) => `${JSON.parse(object).name} ${Date.parse(version) - NOW}`);
}
