// Where a version stands in the listings that pages are read from, and what a query has to read.
//
// A listing holds the newest versions of one kind in one collection, ordered by marking and then by date_added. A page
// of any collection, type filter and ceiling is thus a merge of a few ranges: its cost depends neither on its depth in
// the feed, nor on how much was superseded, is of another type, or lies above the ceiling.

import type { FeedQuery } from '../../stores.ts';

/** What there is many of has a listing of its own; everything else shares one. */
const KINDS: readonly string[] = ['', 'indicator', 'relationship', 'sighting'];
const OTHER = 0;

/** What every collection shares, of any type. */
const SHARED = -1;

/** The bits of an object that is in every collection, those to come included. */
export const EVERY = -1;

/** The collection of everything. */
export const WHOLE_FEED = 0;

/** Declared collections have the numbers from 1 to this. Their bits fit into one integer, with that of the whole feed. */
export const LAST_COLLECTION = 29;

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
  /** Whether it may hold other types than were asked for. */
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
