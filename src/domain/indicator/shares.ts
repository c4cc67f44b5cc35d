// Shares of the places for tags and labels.
//
// A credential could otherwise take all places with junk, and the tag that names the malware would find none. No
// credential therefore takes more than half of the places that the others leave free.

import { type Compare, compareText, locate } from '../sorted-list.ts';

/** Sorted items, and for each item the credential (independence group) that reported it. */
export interface Reported<Item> {
  readonly items: readonly Item[];
  /** As long as `items`. Of several groups, the first in text order, so that the order of reports is irrelevant. */
  readonly groups: readonly string[];
}

/**
 * Adds the items that a group reported. New items are added in sort order until the share of the group is used up.
 * Known items stay.
 */
export function withinShare<Item>(
  known: Reported<Item>,
  seen: readonly Item[],
  group: string,
  compare: Compare<Item>,
  limit: number,
): Reported<Item> {
  let items: Item[] | undefined;
  let groups: string[] | undefined;
  for (const item of seen.toSorted(compare)) {
    const place = locate(items ?? known.items, item, compare);
    if (place >= 0) {
      if (compareText((groups ?? known.groups)[place] ?? '', group) <= 0) continue;
      // Otherwise two groups could fill all places: one adds items, and the other one takes them over.
      if (!hasRoom(groups ?? known.groups, group, limit)) continue;
      groups ??= [...known.groups];
      groups[place] = group;
    } else if (hasRoom(groups ?? known.groups, group, limit)) {
      items ??= [...known.items];
      groups ??= [...known.groups];
      items.splice(-1 - place, 0, item);
      groups.splice(-1 - place, 0, group);
    }
  }
  return groups === undefined ? known : { items: items ?? known.items, groups };
}

function hasRoom(groups: readonly string[], group: string, limit: number): boolean {
  let own = 0;
  for (const one of groups) if (one === group) own++;
  const free = limit - (groups.length - own);
  return own < Math.ceil(free / 2);
}
