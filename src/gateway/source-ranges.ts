// Source ranges: the addresses from which a key may be used.

import {
  type Address,
  type AddressRange,
  contains,
  formatCidr,
  parseAddress,
  parseCidr,
  rangeOf,
} from '../domain/observable/address.ts';

/** Reads a CIDR range, or a single address as the range of itself; undefined when it is neither. */
export function parseSourceRange(text: string): AddressRange | undefined {
  const address = parseAddress(text);
  return address === undefined ? parseCidr(text) : rangeOf(address, 8 * address.length);
}

/** The canonical text of a range, with host bits cleared. Undefined for text that is no range. */
export function canonicalSourceRange(text: string): string | undefined {
  const range = parseSourceRange(text);
  return range === undefined ? undefined : formatCidr(range);
}

/** Whether one range lies in the other. Fails closed: text that is no range lies in none, and none lies in it. */
export function isWithin(inner: string, outer: string): boolean {
  const [small, large] = [parseSourceRange(inner), parseSourceRange(outer)];
  return (
    small !== undefined &&
    large !== undefined &&
    large.prefix <= small.prefix &&
    contains(large, small.network)
  );
}

/** Parses the address of a connection as Node gives it: IPv4-mapped becomes IPv4, an interface name is dropped. */
export function parseSource(text: string): Address | undefined {
  const zone = text.indexOf('%');
  return parseAddress(zone < 0 ? text : text.slice(0, zone));
}

/** Fails closed: an unreadable address lies in no range. */
export function liesWithin(ranges: readonly AddressRange[], source: string): boolean {
  const address = parseSource(source);
  return address !== undefined && ranges.some((range) => contains(range, address));
}
