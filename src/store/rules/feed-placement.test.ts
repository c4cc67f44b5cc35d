// The rules on sets of ids, which is not how the SQLite driver keeps them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aVersion } from '../contract/fixtures.ts';
import type { FeedAppend } from '../feed.ts';
import { type CollectionSets, compareWithNewest, type ObjectState, placeVersion } from './feed-placement.ts';
import { markingNumber } from './markings.ts';

type Ids = readonly string[];

const SETS: CollectionSets<Ids> = {
  every: ['feed', 'ics', 'other', 'to come'],
  of: (ids) => ['feed', ...ids],
  union: (one, other) => [...new Set([...one, ...other])].toSorted(),
  difference: (one, other) => one.filter((id) => !other.includes(id)),
  isEmpty: (ids) => ids.length === 0,
};

function state(age: number, collections: Ids, tlp: 'GREEN' | 'AMBER' | 'RED' = 'GREEN'): ObjectState<Ids> {
  return { version: aVersion('a', age).version, tlp: markingNumber(tlp), collections };
}

function placed(
  changes: Partial<FeedAppend>,
  newest?: ObjectState<Ids>,
  owner?: ObjectState<Ids>,
): ReturnType<typeof placeVersion<Ids>> {
  return placeVersion(aVersion('a', 10, changes), newest, owner, SETS);
}

test('a version is newer, the same or older', () => {
  const [old, middle, young] = [0, 1, 2].map((age) => aVersion('a', age).version) as [string, string, string];
  assert.equal(compareWithNewest(old, undefined), 'newer');
  assert.equal(compareWithNewest(young, middle), 'newer');
  assert.equal(compareWithNewest(middle, middle), 'same');
  assert.equal(compareWithNewest(old, middle), 'older');
});

test('the first version of an object joins everything that it is in', () => {
  assert.deepEqual(placed({ collections: ['ics'] }), {
    tlp: markingNumber('GREEN'),
    collections: ['feed', 'ics'],
    joined: ['feed', 'ics'],
    late: false,
  });
  assert.deepEqual(placed({ collections: 'every' })?.collections, SETS.every);
});

test('an object stays in its collections, and is in those of its owner', () => {
  const both = placed({ collections: ['other'] }, state(0, ['feed', 'ics']), state(0, ['feed', 'third']));
  assert.deepEqual(both?.collections, ['feed', 'ics', 'other', 'third']);
  assert.deepEqual(both?.joined, ['other', 'third']);
});

test('the owner, but not an earlier version, bounds the marking', () => {
  assert.equal(placed({ tlp: 'GREEN' }, state(0, ['feed'], 'RED'))?.tlp, markingNumber('GREEN'));
  assert.equal(placed({ tlp: 'GREEN' }, undefined, state(0, ['feed'], 'AMBER'))?.tlp, markingNumber('AMBER'));
  assert.equal(placed({ tlp: 'RED' }, undefined, state(0, ['feed'], 'AMBER'))?.tlp, markingNumber('RED'));
});

test('a late version changes nothing about its object', () => {
  const newest = state(20, ['feed', 'ics'], 'AMBER');
  assert.deepEqual(
    placed({ tlp: 'RED', collections: ['other'] }, newest, state(0, ['feed', 'third'], 'RED')),
    {
      tlp: markingNumber('AMBER'),
      collections: ['feed', 'ics'],
      joined: [],
      late: true,
    },
  );
  assert.equal(placed({ onlyToJoin: true, collections: ['other'] }, newest), undefined);
});

test('a version that is only to join is placed where it joins something, and where it is the first', () => {
  const newest = state(0, ['feed', 'ics']);
  assert.equal(placed({ onlyToJoin: true, collections: ['ics'] }, newest), undefined);
  assert.deepEqual(placed({ onlyToJoin: true }, newest, state(0, ['feed', 'other']))?.joined, ['other']);
  assert.deepEqual(placed({ onlyToJoin: true })?.joined, ['feed']);
});
