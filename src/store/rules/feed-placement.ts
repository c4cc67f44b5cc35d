// Where a version stands that is appended to the feed: for whom it is new, and in which collections. Each ceiling has a
// history of its own. The rules apply to it as if the versions of the other ceilings did not exist. The rules know nothing
// of how a driver keeps a set of collections.

import { type Audience, NOBODY } from '../../domain/audience.ts';
import type { FeedAppend } from '../feed.ts';

/** The newest version of an object for some ceilings, and what it says about the object. */
export interface Head<Collections> {
  readonly version: string;
  /** The ceilings for which this version is the newest one. */
  readonly audience: Audience;
  readonly collections: Collections;
}

/** Sets of collections, in the form of a driver. */
export interface CollectionSets<Collections> {
  /** All collections, including those that will be declared later. */
  readonly every: Collections;
  /** The whole feed and the declared collections of these ids. */
  of(ids: readonly string[]): Collections;
  union(one: Collections, other: Collections): Collections;
  difference(one: Collections, other: Collections): Collections;
  isEmpty(collections: Collections): boolean;
}

export interface Placement<Collections> {
  /** The ceilings for which the version is appended in this way. */
  readonly audience: Audience;
  readonly collections: Collections;
  /** The collections in which this version is the first one of its object for some of these ceilings. */
  readonly joined: Collections;
  /** Whether this version is not the first one in all of these for all of these ceilings. */
  readonly joinsInPart: boolean;
  /** A late version is older than the newest one: it is superseded from the start. */
  readonly late: boolean;
}

/**
 * Compares a version with the newest one of its object. An `older` version may be in the feed already.
 * Versions of one object are written in one form, so their order as text is their order in time.
 */
function compareWithNewest(version: string, newest: string | undefined): 'newer' | 'same' | 'older' {
  if (newest === undefined || version > newest) return 'newer';
  return version === newest ? 'same' : 'older';
}

/**
 * Places a version. Ceilings for which it stands in the same collections share a placement, which is nearly always one.
 *
 * - It is left out for ceilings that have it already.
 * - It is in the collections that it names, in those of the earlier versions, and in those of the owner. If it has two
 *   owners, it is in those that they share.
 * - A late version does not change the collections of its object.
 * - `onlyToJoin` asks for the version only if it adds the object to a collection. `isSaidBy` asks for it also if the newest
 *   version does not say the same.
 * @param heads of the same object, for all ceilings of the audience that have a version of it.
 * @param owners for each object that this one is about, its heads.
 * @param held the ceilings that have the version already. Called for a version that is older than a head.
 * @param isSaidBy whether a head says what `entry.isSaidBy` looks for. Called for an entry that has it.
 */
export function placeVersion<Collections>(
  entry: FeedAppend,
  heads: readonly Head<Collections>[],
  owners: readonly (readonly Head<Collections>[])[],
  held: () => Audience,
  sets: CollectionSets<Collections>,
  isSaidBy: (newest: Head<Collections>) => boolean,
): readonly Placement<Collections>[] {
  const placements: Placement<Collections>[] = [];
  for (const [readers, newest] of byHead(entry.audience, heads)) {
    const order = compareWithNewest(entry.version, newest?.version);
    if (order === 'same') continue;
    if (newest !== undefined && order === 'older') {
      const audience = entry.onlyToJoin ? NOBODY : readers & ~held();
      const { collections } = newest;
      const joined = sets.difference(collections, collections);
      if (audience !== NOBODY)
        add(placements, { audience, collections, joined, joinsInPart: false, late: true }, sets);
      continue;
    }
    for (const [audience, shared] of byOwners(readers, owners, sets)) {
      const collections = collectionsOf(entry, newest, shared, sets);
      const joined = newest === undefined ? collections : sets.difference(collections, newest.collections);
      if (newest !== undefined && sets.isEmpty(joined)) {
        if (entry.onlyToJoin || (entry.isSaidBy !== undefined && isSaidBy(newest))) continue;
      }
      add(placements, { audience, collections, joined, joinsInPart: false, late: false }, sets);
    }
  }
  return placements;
}

/** The parts of an audience that have the same head, or none. */
function byHead<Collections>(
  audience: Audience,
  heads: readonly Head<Collections>[],
): readonly (readonly [Audience, Head<Collections> | undefined])[] {
  const parts: (readonly [Audience, Head<Collections> | undefined])[] = [];
  let rest = audience;
  for (const head of heads) {
    const part = rest & head.audience;
    if (part !== NOBODY) parts.push([part, head]);
    rest &= ~part;
  }
  if (rest !== NOBODY) parts.push([rest, undefined]);
  return parts;
}

/** The parts of an audience for which the owners share the same collections. Undefined without a version of an owner. */
function byOwners<Collections>(
  audience: Audience,
  owners: readonly (readonly Head<Collections>[])[],
  sets: CollectionSets<Collections>,
): readonly (readonly [Audience, Collections | undefined])[] {
  const [first = [], ...others] = owners;
  let parts = byHead(audience, first).map(([readers, head]) => [readers, head?.collections] as const);
  for (const heads of others) {
    parts = parts.flatMap(([readers, shared]) =>
      byHead(readers, heads).map(([both, head]) => {
        const isShared = shared !== undefined && head !== undefined;
        return [both, isShared ? intersection(shared, head.collections, sets) : undefined] as const;
      }),
    );
  }
  return parts;
}

function intersection<Collections>(
  one: Collections,
  other: Collections,
  sets: CollectionSets<Collections>,
): Collections {
  return sets.difference(one, sets.difference(one, other));
}

function add<Collections>(
  placements: Placement<Collections>[],
  added: Placement<Collections>,
  sets: CollectionSets<Collections>,
): void {
  if (placements.length === 0) {
    placements.push(added);
    return;
  }
  const areEqual = (one: Collections, other: Collections) =>
    sets.isEmpty(sets.difference(one, other)) && sets.isEmpty(sets.difference(other, one));
  const index = placements.findIndex(
    ({ late, collections }) => late === added.late && areEqual(collections, added.collections),
  );
  const same = placements[index];
  if (same === undefined) {
    placements.push(added);
  } else {
    const audience = same.audience | added.audience;
    const joined = sets.union(same.joined, added.joined);
    const joinsInPart = same.joinsInPart || !areEqual(same.joined, added.joined);
    placements[index] = { ...same, audience, joined, joinsInPart };
  }
}

function collectionsOf<Collections>(
  { collections = [] }: FeedAppend,
  newest: Head<Collections> | undefined,
  shared: Collections | undefined,
  sets: CollectionSets<Collections>,
): Collections {
  if (collections === 'every') return sets.every;
  let all = sets.of(collections);
  if (newest !== undefined) all = sets.union(all, newest.collections);
  if (shared !== undefined) all = sets.union(all, shared);
  return all;
}
