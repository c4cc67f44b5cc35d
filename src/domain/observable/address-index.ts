// Finds the address ranges that contain an address or lie inside a range. Two ranges of one family are nested or
// disjoint. All ranges that contain an address are therefore the parents of the last range that begins at or before it.

import { type Address, type AddressRange, rangeOf } from './address.ts';

export interface IndexedRange {
  readonly range: AddressRange;
  /** An id that the caller chooses. */
  readonly owner: number;
}

export interface AddressIndex {
  /** The ranges that contain all of these addresses, innermost first. */
  around(range: AddressRange): readonly IndexedRange[];
  /** The smaller ranges inside, one for each owner, for at most `limit` owners. */
  inside(range: AddressRange, limit: number): readonly IndexedRange[];
}

/** The bytes of an address as a string, which compares in the order of addresses. */
type Key = string;

interface Entry extends IndexedRange {
  readonly first: Key;
  readonly last: Key;
  /** The smallest range around this one. */
  readonly parent: Entry | undefined;
}

const NONE: readonly IndexedRange[] = [];

export function createAddressIndex(ranges: readonly IndexedRange[]): AddressIndex {
  const families = new Map<number, readonly Entry[]>();
  for (const length of [4, 16])
    families.set(length, nest(ranges.filter(({ range }) => range.network.length === length)));

  return {
    around: (range) => {
      const entries = families.get(range.network.length) ?? [];
      const { first, last } = keysOf(range);
      let entry = entries[placeAfter(entries, first) - 1];
      let found: IndexedRange[] | undefined;
      for (; entry !== undefined; entry = entry.parent) {
        if (entry.last >= last && entry.range.prefix <= range.prefix) {
          found ??= [];
          found.push(entry);
        }
      }
      return found ?? NONE;
    },
    inside: (range, limit) => {
      const entries = families.get(range.network.length) ?? [];
      const { first, last } = keysOf(range);
      const found = new Map<number, IndexedRange>();
      // Step back over the ranges that begin at the same address. The smallest is the last.
      let place = placeAfter(entries, first);
      for (let before = entries[place - 1]; before?.first === first; before = entries[--place - 1]);
      for (let entry = entries[place]; entry !== undefined && entry.first <= last; entry = entries[++place]) {
        if (entry.range.prefix <= range.prefix || found.has(entry.owner)) continue;
        found.set(entry.owner, entry);
        if (found.size >= limit) break;
      }
      return [...found.values()];
    },
  };
}

/** Sorted by first address, then the larger range first, each with its parent. */
function nest(ranges: readonly IndexedRange[]): readonly Entry[] {
  const sorted = ranges
    .map(({ range, owner }) => ({ range, owner, ...keysOf(range) }))
    .sort((a, b) => (a.first === b.first ? a.range.prefix - b.range.prefix : a.first < b.first ? -1 : 1));
  let parent: Entry | undefined;
  return sorted.map((entry) => {
    while (parent !== undefined && parent.last < entry.first) parent = parent.parent;
    parent = { ...entry, parent };
    return parent;
  });
}

/** The index of the first entry that begins after the address. */
function placeAfter(entries: readonly Entry[], address: Key): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] as Entry).first <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keysOf({ network, prefix }: AddressRange): { readonly first: Key; readonly last: Key } {
  const first = keyOf(network);
  return { first, last: prefix === 8 * network.length ? first : keyOf(lastOf(network, prefix)) };
}

function lastOf(network: Address, prefix: number): Address {
  const { network: mask } = rangeOf(
    network.map(() => 0xff),
    prefix,
  );
  return network.map((byte, index) => byte | (0xff & ~(mask[index] ?? 0)));
}

function keyOf(address: Address): Key {
  return String.fromCharCode(...address);
}
