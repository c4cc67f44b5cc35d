// The IP addresses of an indicator: its value, its range, or the host of its URL.

import { type AddressRange, parseAddress, parseCidr, rangeOf, rangeScope } from '../observable/address.ts';
import type { Indicator } from './indicator.ts';

type Named = Pick<Indicator, 'type' | 'value'>;

/** Undefined for other types, and for a URL whose host is a name. */
export function addressesOf({ type, value }: Named): AddressRange | undefined {
  switch (type) {
    case 'IPV4':
    case 'IPV6':
      return single(value);
    case 'CIDR':
      return parseCidr(value);
    case 'URL':
      return single(hostOf(value));
    default:
      return undefined;
  }
}

/** The addresses if all of them are public. Data sources know nothing about other addresses. */
export function publicAddressesOf(indicator: Named): AddressRange | undefined {
  const range = addressesOf(indicator);
  return range !== undefined && rangeScope(range) === 'public' ? range : undefined;
}

/** The host of a canonical URL, without the brackets of an IPv6 address; empty when there is none. */
export function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}

function single(text: string): AddressRange | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : rangeOf(address, 8 * address.length);
}
