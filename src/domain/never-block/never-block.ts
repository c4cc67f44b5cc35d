// What the operator never wants to be blocked: own ranges and names, and those of partners. An indicator that lies in one of
// them, or covers one, stays out of the feed.

import { relabelled } from '../indicator/computed-labels.ts';
import type { Indicator, IndicatorRecord } from '../indicator/indicator.ts';
import { addressesOf, hostOf } from '../indicator/indicator-address.ts';
import { parseAddress, parseCidr, rangeOf } from '../observable/address.ts';
import { createAddressIndex, type IndexedRange } from '../observable/address-index.ts';
import { parseDomain } from '../observable/domain-name.ts';

export interface NeverBlock {
  /** The entry that an indicator lies in or covers, as it was written. */
  match(indicator: Pick<Indicator, 'type' | 'value'>): string | undefined;
  readonly isEmpty: boolean;
}

/** An entry as it is compared: a range of addresses, or a name with all names below it. */
export type NeverBlockEntry =
  | { readonly text: string; readonly range: IndexedRange['range'] }
  | { readonly text: string; readonly name: string };

/** Undefined for text that is neither an address, a range nor a domain name. `*.` before a name says nothing more. */
export function parseNeverBlock(text: string): NeverBlockEntry | undefined {
  const address = parseAddress(text);
  const range = address === undefined ? parseCidr(text) : rangeOf(address, 8 * address.length);
  if (range !== undefined) return { text, range };
  const name = parseDomain(text.replace(/^\*\./, ''), { acceptPrivateAddresses: true });
  return typeof name === 'string' ? { text, name } : undefined;
}

export function createNeverBlock(entries: readonly NeverBlockEntry[]): NeverBlock {
  const ranges = createAddressIndex(
    entries.flatMap((entry, owner) => ('range' in entry ? [{ range: entry.range, owner }] : [])),
  );
  const names = new Map<string, string>();
  /** The names above the entries: who blocks one of them blocks the entry. */
  const parents = new Map<string, string>();
  for (const entry of entries) {
    if (!('name' in entry)) continue;
    names.set(entry.name, entry.text);
    for (const parent of parentsOf(entry.name)) if (!parents.has(parent)) parents.set(parent, entry.text);
  }

  const ofName = (name: string) => {
    for (const above of [name, ...parentsOf(name)]) {
      const text = names.get(above);
      if (text !== undefined) return text;
    }
    return undefined;
  };

  return {
    isEmpty: entries.length === 0,
    match: (indicator) => {
      const range = addressesOf(indicator);
      if (range !== undefined) {
        const [found] = [...ranges.around(range), ...ranges.inside(range, 1)];
        return found === undefined ? undefined : entries[found.owner]?.text;
      }
      const { type, value } = indicator;
      if (type === 'DOMAIN') return ofName(value) ?? parents.get(value);
      if (type === 'URL') return ofName(hostOf(value));
      return type === 'EMAIL' ? ofName(value.slice(value.lastIndexOf('@') + 1)) : undefined;
    },
  };
}

function parentsOf(name: string): readonly string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** The record with what the list says of it. */
export function protectedBy(record: IndicatorRecord, list: NeverBlock): IndicatorRecord {
  const entry = list.isEmpty ? undefined : list.match(record.indicator);
  if (record.neverBlock === entry) return record;
  const { neverBlock: _, ...others } = record;
  return relabelled(entry === undefined ? others : { ...others, neverBlock: entry });
}
