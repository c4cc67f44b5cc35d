// The networks that are defended: they tell who came from outside, and what inside called out.

import { type AddressRange, contains, parseAddress, parseCidr } from '../domain/observable/address.ts';

/** Private networks (RFC 1918, RFC 4193), which are home unless somebody says otherwise. */
const PRIVATE_RANGES: readonly AddressRange[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
].flatMap((text) => parseCidr(text) ?? []);

/**
 * - `inbound`: from outside to a home address.
 * - `outbound`: from a home address to the outside.
 * - `internal`: between home addresses.
 * - `unknown`: neither address is home, as on a honeypot with a public address that nobody named.
 */
export type Direction = 'inbound' | 'outbound' | 'internal' | 'unknown';

export class HomeNet {
  readonly #ranges: readonly AddressRange[];
  readonly #named: boolean;

  /** @param ranges in CIDR form; what is none is passed over. Without any, private networks are home. */
  constructor(ranges: readonly string[] | undefined) {
    this.#named = ranges !== undefined && ranges.length > 0;
    this.#ranges = this.#named ? (ranges ?? []).flatMap((text) => parseCidr(text) ?? []) : PRIVATE_RANGES;
  }

  /**
   * Whether the address was declared to be one's own, and so never becomes an indicator. Private addresses were not:
   * whether those are taken is a setting of the service.
   */
  isOwn(address: string): boolean {
    return this.#named && this.has(address);
  }

  has(address: string): boolean {
    const parsed = parseAddress(address);
    return parsed !== undefined && this.#ranges.some((range) => contains(range, parsed));
  }

  direction(from: string, to: string): Direction {
    if (this.has(from)) return this.has(to) ? 'internal' : 'outbound';
    return this.has(to) ? 'inbound' : 'unknown';
  }
}
