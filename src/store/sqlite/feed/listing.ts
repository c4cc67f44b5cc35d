// Listings: the tables of contents from which pages are read.
//
// A listing holds the newest versions of one kind of object in one collection, ordered by marking and then by date_added.
// A page of any collection, type filter and ceiling is a merge of a few ranges of listings. Its cost does not depend on
// its depth in the feed, or on the number of versions that are superseded, of another type, or above the ceiling.

import type { FeedQuery } from '../../feed.ts';

/** Types with many objects have listings of their own. All other types share the first one. */
const KINDS: readonly string[] = ['', 'indicator', 'relationship', 'sighting'];
const OTHER = 0;

/** The listing of objects that are in every collection, of any type. */
const SHARED = -1;

/** The bits of an object that is in every collection, including later ones. */
export const EVERY = -1;

/** The number of the whole feed. */
export const WHOLE_FEED = 0;

/** Declared collections are numbered from 1 to this, so that all bits fit into one integer. */
export const LAST_COLLECTION = 29;

/**
 * A bit of `joined`, which no collection has: the version is the first one of its object in these collections for some
 * ceilings of its audience, and perhaps not for all.
 */
export const IN_DOUBT = 1 << 30;

export function bitOf(collection: number): number {
  return 1 << collection;
}

/** The listings that hold a newest version. @param collections the bits of its collections. */
export function listingsOf(type: string, collections: number): readonly number[] {
  if (collections === EVERY) return [SHARED];
  const kind = Math.max(KINDS.indexOf(type), OTHER);
  const listings: number[] = [];
  for (let number = 0; collections >> number !== 0; number++) {
    if ((collections & bitOf(number)) !== 0) listings.push(number * KINDS.length + kind);
  }
  return listings;
}

export interface Listing {
  readonly number: number;
  /** Whether it may hold types that the query does not ask for. */
  readonly mixed: boolean;
}

/** The listings to read for a query. */
export function listingsFor(collection: number, types: FeedQuery['types']): readonly Listing[] {
  const kinds = KINDS.keys().filter((kind) => kind === OTHER || (types?.includes(KINDS[kind] ?? '') ?? true));
  const first = collection * KINDS.length;
  return [
    { number: SHARED, mixed: true },
    ...kinds.map((kind) => ({ number: first + kind, mixed: kind === OTHER })),
  ];
}
