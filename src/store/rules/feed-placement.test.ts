// The rules on sets of ids, which is not how the SQLite driver keeps them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Audience, EVERYBODY, NOBODY, readersAt, readersOf } from '../../domain/audience.ts';
import { aVersion } from '../contract/fixtures.ts';
import type { FeedAppend } from '../feed.ts';
import { type CollectionSets, type Head, type Placement, placeVersion } from './feed-placement.ts';

type Ids = readonly string[];

const SETS: CollectionSets<Ids> = {
  every: ['feed', 'ics', 'other', 'to come'],
  of: (ids) => ['feed', ...ids],
  union: (one, other) => [...new Set([...one, ...other])].toSorted(),
  difference: (one, other) => one.filter((id) => !other.includes(id)),
  isEmpty: (ids) => ids.length === 0,
};

const ALL = EVERYBODY;
const LOW = readersOf('CLEAR', 'AMBER');
const HIGH = readersOf('AMBER');

function head(age: number, collections: Ids, audience = ALL): Head<Ids> {
  return { version: aVersion('a', age).version, audience, collections };
}

/** Places a version of age 10. */
function placed(
  changes: Partial<FeedAppend>,
  heads: readonly Head<Ids>[] = [],
  owners: readonly Head<Ids>[] = [],
  held: Audience = NOBODY,
): readonly Placement<Ids>[] {
  return placeVersion(
    aVersion('a', 10, { audience: ALL, ...changes }),
    heads,
    [owners],
    () => held,
    SETS,
    () => true,
  );
}

test('the first version of an object joins everything that it is in', () => {
  assert.deepEqual(placed({ collections: ['ics'] }), [
    { audience: ALL, collections: ['feed', 'ics'], joined: ['feed', 'ics'], joinsInPart: false, late: false },
  ]);
  assert.deepEqual(placed({ collections: 'every' })[0]?.collections, SETS.every);
});

test('an object stays in its collections, and is in those of its owner', () => {
  const [both] = placed({ collections: ['other'] }, [head(0, ['feed', 'ics'])], [head(0, ['feed', 'third'])]);
  assert.deepEqual(both?.collections, ['feed', 'ics', 'other', 'third']);
  assert.deepEqual(both?.joined, ['other', 'third']);
});

test('a version that is there is left out, for those who have it', () => {
  assert.deepEqual(placed({}, [head(10, ['feed'])]), []);
  assert.deepEqual(
    placed({}, [head(10, ['feed'], LOW)]).map(({ audience }) => audience),
    [HIGH],
  );
  assert.deepEqual(placed({}, [head(20, ['feed'])], [], ALL), []);
  const [late] = placed({}, [head(20, ['feed'])], [], HIGH);
  assert.deepEqual([late?.audience, late?.late], [LOW, true]);
});

test('a late version changes nothing about its object', () => {
  const newest = head(20, ['feed', 'ics']);
  assert.deepEqual(placed({ collections: ['other'] }, [newest], [head(0, ['feed', 'third'])]), [
    { audience: ALL, collections: ['feed', 'ics'], joined: [], joinsInPart: false, late: true },
  ]);
  assert.deepEqual(placed({ onlyToJoin: true, collections: ['other'] }, [newest]), []);
});

test('a version that is only to join is placed where it joins something, and where it is the first', () => {
  const newest = head(0, ['feed', 'ics']);
  assert.deepEqual(placed({ onlyToJoin: true, collections: ['ics'] }, [newest]), []);
  const joining = placed({ onlyToJoin: true }, [newest], [head(0, ['feed', 'other'])]);
  assert.deepEqual(joining[0]?.joined, ['other']);
  assert.deepEqual(placed({ onlyToJoin: true })[0]?.joined, ['feed']);
});

test('each ceiling has its own history; equal results are one placement', () => {
  const heads = [head(20, ['feed'], LOW), head(0, ['feed', 'ics'], readersAt('AMBER'))];
  assert.deepEqual(placed({}, heads), [
    { audience: LOW, collections: ['feed'], joined: [], joinsInPart: false, late: true },
    {
      audience: readersAt('AMBER'),
      collections: ['feed', 'ics'],
      joined: [],
      joinsInPart: false,
      late: false,
    },
    {
      audience: readersOf('AMBER_STRICT'),
      collections: ['feed'],
      joined: ['feed'],
      joinsInPart: false,
      late: false,
    },
  ]);
  const versions = [head(0, ['feed'], LOW), head(5, ['feed'], HIGH)];
  assert.deepEqual(placed({}, versions), [
    { audience: ALL, collections: ['feed'], joined: [], joinsInPart: false, late: false },
  ]);
  const joining = placed({ collections: ['ics'] }, [head(0, ['feed'], LOW), head(0, ['feed', 'ics'], HIGH)]);
  assert.deepEqual(joining, [
    { audience: ALL, collections: ['feed', 'ics'], joined: ['ics'], joinsInPart: true, late: false },
  ]);
  const owners = [head(0, ['feed', 'ics'], HIGH)];
  assert.deepEqual(
    placed({}, [head(0, ['feed'])], owners).map(({ audience, joined }) => [audience, joined]),
    [
      [HIGH, ['ics']],
      [LOW, []],
    ],
  );
});

test('nobody reads a version without an audience', () => {
  assert.deepEqual(placed({ audience: NOBODY }), []);
});
