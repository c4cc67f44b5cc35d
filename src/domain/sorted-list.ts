// Sorted lists that are never changed in place: adding makes a new list, adding nothing new gives the same one back.

/** Negative, zero or positive, as for Array.prototype.sort. */
export type Compare<Item> = (a: Item, b: Item) => number;

/** By UTF-16 code units: the same on every machine, unlike an order by locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Where the item is, or (as -1 - index) where it belongs. */
export function locate<Item>(list: readonly Item[], item: Item, compare: Compare<Item>): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compare(list[middle] as Item, item);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1 - low;
}

/** The list with the items that it did not have; the same list when it had them all. */
export function withItems<Item>(
  list: readonly Item[],
  items: readonly Item[],
  compare: Compare<Item>,
): readonly Item[] {
  let result: Item[] | undefined;
  for (const item of items) {
    const place = locate(result ?? list, item, compare);
    if (place >= 0) continue;
    result ??= [...list];
    result.splice(-1 - place, 0, item);
  }
  return result ?? list;
}
