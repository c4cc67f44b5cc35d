// Entries of warning lists: the forms in which they are compared, and searches over many of them at once.

import {
  type AddressRange,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
  rangeOf,
} from '../observable/address.ts';

/** Lower case; an address in its canonical text form. */
export function textOfEntry(entry: string): string {
  const text = entry.trim().toLowerCase();
  const address = /^[0-9a-f:.]+$/.test(text) ? parseAddress(text) : undefined;
  return address === undefined ? text : formatAddress(address);
}

/** The host name in `.example.com`, `*.example.com` or `https://example.com/path`; empty if there is none. */
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

/** The range; a single address is a range of one. */
export function rangeOfEntry(entry: string): AddressRange | undefined {
  const text = entry.trim();
  const address = parseAddress(text);
  return address === undefined ? parseCidr(text) : rangeOf(address, 8 * address.length);
}

/** The text form of a range, or of the address if it is a single one. */
export function formatEntry(range: AddressRange): string {
  return range.prefix === 8 * range.network.length ? formatAddress(range.network) : formatCidr(range);
}

export interface TextIndex {
  /** False for an empty text, which is not added. */
  add(text: string, owner: number): boolean;
  /** The numbers of the lists that contain the text. */
  owners(text: string): readonly number[];
}

const NOBODY: readonly number[] = [];

/** One map for the texts of all lists. Texts share few combinations of lists, so each combination is kept once. */
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
  /** The contained text that begins first; of several, the first in the given order. */
  find(value: string): string | undefined;
  /** How many texts were ignored as too short. */
  readonly unread: number;
}

/** Almost every value contains any two letters. */
const SHORTEST = 3;
/** Longer heads would distinguish hardly more texts. */
const LONGEST_HEAD = 8;

/** Indexes the texts by a head as long as the shortest text, so that each place of a value needs one lookup. */
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
