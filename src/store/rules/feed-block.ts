// A block of a feed page, made from single entries.

import type { DateAdded, FeedBlock, FeedObject, Place } from '../feed.ts';
import { addSums, NO_DATES, sumsOfDate } from './date-sums.ts';

/** @param entries at least one. */
export function blockOf(entries: readonly FeedObject[]): FeedBlock {
  const { place, dateAdded } = entries.at(-1) as { place: Place; dateAdded: DateAdded };
  return {
    place,
    dateAdded,
    first: entries[0]?.dateAdded ?? dateAdded,
    sums: entries.map((entry) => sumsOfDate(entry.dateAdded)).reduce(addSums, NO_DATES),
    objects: Buffer.from(entries.map(({ object }) => object).join()),
  };
}
