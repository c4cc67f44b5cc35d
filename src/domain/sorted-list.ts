// Immutable sorted lists. Adding items returns a new list, or the same list when it has them all.

/** Negative, zero or positive, as for Array.prototype.sort. */
export type Compare<Item> = (a: Item, b: Item) => number;

/** Compares UTF-16 code units. Unlike an order by locale, it is the same on every machine. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The index of the item, or -1 - index of the place where it belongs. */
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

/** The list with the items added that it lacks. */
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
