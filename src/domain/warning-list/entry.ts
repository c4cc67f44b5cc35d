// Entries of warning lists in the form they are compared in.

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
