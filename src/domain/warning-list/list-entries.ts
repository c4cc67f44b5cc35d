// Entries of warning lists: the forms in which they are compared, and searches over many of them at once.

import {
  type AddressRange,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
  rangeOf,
} from '../observable/address.ts';

/** Values are compared in lower case, addresses in their one text form. */
export function textOfEntry(entry: string): string {
  const text = entry.trim().toLowerCase();
  const address = /^[0-9a-f:.]+$/.test(text) ? parseAddress(text) : undefined;
  return address === undefined ? text : formatAddress(address);
}

/** The name of `.example.com`, `*.example.com` and `https://example.com/path`; empty when it is none. */
export function hostNameOfEntry(entry: string): string {
  const name = entry
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^\*?\./, '')
    .replace(/\.$/, '');
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name) ? name : '';
}

/** A range, or an address alone. */
export function rangeOfEntry(entry: string): AddressRange | undefined {
  const text = entry.trim();
  const address = parseAddress(text);
  return address === undefined ? parseCidr(text) : rangeOf(address, 8 * address.length);
}

/** As an entry is shown: the range, or the address when it is one alone. */
export function formatEntry(range: AddressRange): string {
  return range.prefix === 8 * range.network.length ? formatAddress(range.network) : formatCidr(range);
}

export interface TextIndex {
  /** False when the text is empty, which is on no list. */
  add(text: string, owner: number): boolean;
  /** The numbers of the lists that have the text. */
  owners(text: string): readonly number[];
}

const NOBODY: readonly number[] = [];

/** Most texts are on one list, and the others on few combinations of lists: each combination is kept once. */
export function createTextIndex(): TextIndex {
  const texts = new Map<string, readonly number[]>();
  const combinations = new Map<string, readonly number[]>();
  return {
    add: (text, owner) => {
      if (text === '') return false;
      const known = texts.get(text) ?? NOBODY;
      if (known.includes(owner)) return true;
      const name = `${known.join()},${owner}`;
      const owners = combinations.get(name) ?? [...known, owner];
      combinations.set(name, owners);
      texts.set(text, owners);
      return true;
    },
    owners: (text) => texts.get(text) ?? NOBODY,
  };
}

export interface SubstringSearch {
  /** The first text contained, by where it begins, then by the order the texts were given in. */
  find(value: string): string | undefined;
  /** Texts too short to mean anything, which are left out. */
  readonly unread: number;
}

/** Two letters are in almost every value. */
const SHORTEST = 3;
/** With so many first letters hardly two texts share them. */
const LONGEST_HEAD = 8;

/** Texts by their first letters, as many as the shortest text has: each place of a value is looked up once. */
export function createSubstringSearch(texts: readonly string[]): SubstringSearch {
  const usable = texts.filter(({ length }) => length >= SHORTEST);
  let width = LONGEST_HEAD;
  for (const { length } of usable) width = Math.min(width, length);
  const heads = new Map<string, string[]>();
  for (const text of usable) {
    const head = text.slice(0, width);
    const others = heads.get(head);
    if (others === undefined) heads.set(head, [text]);
    else others.push(text);
  }
  return {
    unread: texts.length - usable.length,
    find: (value) => {
      for (let place = 0; place + width <= value.length; place++) {
        const text = heads
          .get(value.slice(place, place + width))
          ?.find((one) => value.startsWith(one, place));
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}
