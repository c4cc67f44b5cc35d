// Where a version stands that is appended to the feed: whether it is new, under which marking and in which collections.
// The rules know nothing of how a driver keeps a set of collections.

import type { FeedAppend } from '../feed.ts';
import { markingNumber } from './markings.ts';

/** What the newest version of an object says about the object. */
export interface ObjectState<Collections> {
  readonly version: string;
  /** As `markingNumber` gives it. */
  readonly tlp: number;
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
  readonly tlp: number;
  readonly collections: Collections;
  /** The collections in which this version is the first one of its object. */
  readonly joined: Collections;
  /** A late version is older than the newest one: it is superseded from the start. */
  readonly late: boolean;
}

/**
 * Compares a version with the newest one of its object. An `older` version may be in the feed already.
 * Versions of one object are written in one form, so their order as text is their order in time.
 */
export function compareWithNewest(version: string, newest: string | undefined): 'newer' | 'same' | 'older' {
  if (newest === undefined || version > newest) return 'newer';
  return version === newest ? 'same' : 'older';
}

/**
 * Places a version that the feed does not hold yet. Undefined: it is not to be appended.
 *
 * - Its marking is the more restrictive one of its own and that of the owner.
 * - It is in the collections that it names, in those of the earlier versions, and in those of the owner.
 * - A late version changes neither the marking nor the collections of its object.
 * - `onlyToJoin` asks for the version only if it adds the object to a collection.
 * @param newest of the same object; undefined for a new object.
 * @param owner state of the object that this one is about.
 */
export function placeVersion<Collections>(
  entry: FeedAppend,
  newest: ObjectState<Collections> | undefined,
  owner: ObjectState<Collections> | undefined,
  sets: CollectionSets<Collections>,
): Placement<Collections> | undefined {
  if (newest !== undefined && compareWithNewest(entry.version, newest.version) === 'older') {
    if (entry.onlyToJoin) return undefined;
    const { tlp, collections } = newest;
    return { tlp, collections, joined: sets.difference(collections, collections), late: true };
  }
  const collections = collectionsOf(entry, newest, owner, sets);
  const joined = newest === undefined ? collections : sets.difference(collections, newest.collections);
  if (entry.onlyToJoin && newest !== undefined && sets.isEmpty(joined)) return undefined;
  return { tlp: Math.max(markingNumber(entry.tlp), owner?.tlp ?? 0), collections, joined, late: false };
}

function collectionsOf<Collections>(
  { collections = [] }: FeedAppend,
  newest: ObjectState<Collections> | undefined,
  owner: ObjectState<Collections> | undefined,
  sets: CollectionSets<Collections>,
): Collections {
  if (collections === 'every') return sets.every;
  let all = sets.of(collections);
  if (newest !== undefined) all = sets.union(all, newest.collections);
  if (owner !== undefined) all = sets.union(all, owner.collections);
  return all;
}
