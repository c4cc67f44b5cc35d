import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectionsOf, ICS_COLLECTION } from '../domain/collection.ts';
import { MATCH_ALL } from '../domain/filter.ts';
import { see } from '../stix/objects/seen-records.test-support.ts';
import { CollectionsInUse, definitionOf } from './collections-in-use.ts';

const { indicator } = see(undefined, { tags: ['campaign'] });

/** As a version wrote it that knew only some members of a filter. */
function earlier(id: string, filter: object): { id: string; definition: string } {
  return { id, definition: JSON.stringify({ id, title: id, description: id, filter }) };
}

test('a definition of an earlier version asks for nothing that its filter does not name', () => {
  const stored = earlier('old', { tags: ['campaign'] });
  assert.deepEqual(definitionOf(stored).filter, { ...MATCH_ALL, tags: ['campaign'] });
  assert.deepEqual(collectionsOf(indicator, [definitionOf(stored)]), ['old']);
  assert.deepEqual(collectionsOf(indicator, [definitionOf(earlier('other', { tags: ['other'] }))]), []);
  const whole = { id: ICS_COLLECTION.id, definition: JSON.stringify(ICS_COLLECTION) };
  assert.deepEqual(definitionOf(whole), ICS_COLLECTION);
});

test('those in use change as often as the store has others', () => {
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
