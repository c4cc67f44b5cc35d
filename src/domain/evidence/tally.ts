// A bounded tally: which values were seen under which keys, how often, and when first and last.
//
// It has a budget of bytes. When a new value exceeds the budget, whoever has the most gives up a value: the reporter with
// the most bytes, and of its keys the one with the most bytes. So a flood by one reporter, or under one key, pushes out
// values of its own. Of that key, the half of the bytes with the newest values stays. Of the rest, the least frequent
// value goes.

import type { Instant } from '../instant.ts';
import { compareText } from '../sorted-list.ts';

/** A value under its key. */
export interface Entry {
  readonly key: string;
  readonly value: string;
}

export interface TallyItem extends Entry {
  /** The reporter whose share it uses: of those that reported it, one that had little at that time. */
  readonly owner: string;
  /** At most Number.MAX_SAFE_INTEGER. */
  readonly count: number;
  readonly first: Instant;
  readonly last: Instant;
  /** Its part of the budget: at least what the stored form takes. */
  readonly bytes: number;
}

export interface Tally {
  /** By idOf. */
  readonly items: ReadonlyMap<string, TallyItem>;
  readonly bytes: number;
  /** How often a value was given up. */
  readonly dropped: number;
}

/** One report of some values. */
export interface Occurrence {
  readonly owner: string;
  readonly at: Instant;
  readonly count: bigint;
}

export const EMPTY_TALLY: Tally = { items: new Map(), bytes: 0, dropped: 0 };

/** No key and no value contains NUL. */
function idOf({ key, value }: Entry): string {
  return `${key}\0${value}`;
}

/** The item of a value, if the tally has it. */
export function itemIn({ items }: Tally, entry: Entry): TallyItem | undefined {
  return items.get(idOf(entry));
}

/** The tally with one report added. @param limit in bytes. */
export function counted(
  tally: Tally,
  entries: readonly Entry[],
  { owner, at, count }: Occurrence,
  limit: number,
): Tally {
  if (entries.length === 0) return tally;
  const items = new Map(tally.items);
  let { bytes, dropped } = tally;
  for (const { key, value } of entries) {
    const id = idOf({ key, value });
    const before = items.get(id);
    const seen = itemOf({ key, value, owner, count: saturated(count), first: at, last: at });
    const item =
      before === undefined ? seen : { ...joined(before, seen), owner: payer(items, before, owner) };
    items.set(id, item);
    bytes += item.bytes - (before?.bytes ?? 0);
  }
  while (bytes > limit) {
    const victim = leastValuable([...items.values()]);
    if (victim === undefined) break;
    items.delete(idOf(victim));
    bytes -= victim.bytes;
    dropped += 1;
  }
  return { items, bytes, dropped };
}

/** What a reader of several tallies sees. It has no budget of its own. */
export function combined(tallies: readonly Tally[]): Tally {
  const [first = EMPTY_TALLY, ...others] = tallies;
  const items = new Map(first.items);
  let { dropped } = first;
  for (const tally of others) {
    dropped += tally.dropped;
    for (const [id, item] of tally.items) {
      const before = items.get(id);
      items.set(id, before === undefined ? item : joined(before, item));
    }
  }
  return tallyOf(items.values(), dropped);
}

export function tallyOf(items: Iterable<TallyItem>, dropped: number): Tally {
  const byId = new Map<string, TallyItem>();
  let bytes = 0;
  for (const item of items) {
    byId.set(idOf(item), item);
    bytes += item.bytes;
  }
  return { items: byId, bytes, dropped };
}

/** The tally within a budget, as if its values had come from one report after the other. */
export function within(tally: Tally, limit: number): Tally {
  const items = [...tally.items.values()];
  let { bytes, dropped } = tally;
  while (bytes > limit) {
    const victim = leastValuable(items);
    if (victim === undefined) break;
    items.splice(items.indexOf(victim), 1);
    bytes -= victim.bytes;
    dropped += 1;
  }
  return tallyOf(items, dropped);
}

function joined(one: TallyItem, other: TallyItem): TallyItem {
  const count = Math.min(one.count + other.count, Number.MAX_SAFE_INTEGER);
  const first = Math.min(one.first, other.first);
  const last = Math.max(one.last, other.last);
  const bytes = one.bytes - numberBytes(one) + numberBytes({ count, first, last });
  return { ...one, count, first, last, bytes };
}

function saturated(count: bigint): number {
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(count);
}

/** Brackets, commas, the first time and the owner, in the stored form (store/evidence-codec.ts). */
const ITEM_BYTES = 36;

export function itemOf(item: Omit<TallyItem, 'bytes'>): TallyItem {
  return { ...item, bytes: ITEM_BYTES + textBytes(item.key) + textBytes(item.value) + numberBytes(item) };
}

function numberBytes({ count, first, last }: Pick<TallyItem, 'count' | 'first' | 'last'>): number {
  return `${count}${last - first}`.length;
}

function textBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/**
 * Who pays for a value that somebody else reports as well: the one that has less. Otherwise a reporter could take over
 * what others report, and lose it in a flood of its own.
 */
function payer(items: ReadonlyMap<string, TallyItem>, { owner, bytes }: TallyItem, reporter: string): string {
  if (owner === reporter) return owner;
  let [its, own] = [0, 0];
  for (const one of items.values()) {
    if (one.owner === owner) its += one.bytes;
    else if (one.owner === reporter) own += one.bytes;
  }
  return own < its - bytes ? reporter : owner;
}

function leastValuable(items: readonly TallyItem[]): TallyItem | undefined {
  const owned = largest(items, ({ owner }) => owner);
  const group = largest(owned, ({ key }) => key);
  // Of one instant, what came last. The items are in the order of arrival.
  const newestFirst = group.toReversed().sort((a, b) => b.last - a.last);
  const half = group.reduce((sum, item) => sum + item.bytes, 0) / 2;
  let kept = 0;
  let place = 0;
  // The newest one is kept in any case.
  for (; place < newestFirst.length - 1; place++) {
    const item = newestFirst[place];
    if (item === undefined || (place > 0 && kept + item.bytes > half)) break;
    kept += item.bytes;
  }
  let victim: TallyItem | undefined;
  // From new to old, so that of equal counts the oldest goes.
  for (const item of newestFirst.slice(place)) {
    if (victim === undefined || item.count <= victim.count) victim = item;
  }
  return victim;
}

/** The items of the group that has the most bytes. Of equal groups, the first in text order. */
function largest(items: readonly TallyItem[], groupOf: (item: TallyItem) => string): readonly TallyItem[] {
  const sums = new Map<string, number>();
  for (const item of items) {
    const group = groupOf(item);
    sums.set(group, (sums.get(group) ?? 0) + item.bytes);
  }
  if (sums.size === 1) return items;
  let most = '';
  let highest = -1;
  for (const [group, sum] of sums) {
    if (sum < highest || (sum === highest && compareText(group, most) > 0)) continue;
    [most, highest] = [group, sum];
  }
  return items.filter((item) => groupOf(item) === most);
}
