// The defended side: the home networks, and the addresses of the sensor itself.

import { isIP } from 'node:net';
import { type AddressRange, contains, parseAddress, parseCidr } from '../domain/observable/address.ts';

/** Private networks (RFC 1918, RFC 4193): the home networks when none are named. */
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
 * - `unknown`: neither address is home, as on a honeypot whose public address was not named.
 */
export type Direction = 'inbound' | 'outbound' | 'internal' | 'unknown';

export class HomeNet {
  readonly #ranges: readonly AddressRange[];
  readonly #named: boolean;

  /** @param ranges in CIDR form; other text is ignored. Without ranges, private networks are home. */
  constructor(ranges: readonly string[] | undefined) {
    this.#named = ranges !== undefined && ranges.length > 0;
    this.#ranges = this.#named ? (ranges ?? []).flatMap((text) => parseCidr(text) ?? []) : PRIVATE_RANGES;
  }

  /**
   * Whether the address is in a named network. Such an address never becomes an indicator. Private addresses count only
   * when they were named: a setting of the service decides about the others.
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

const MAPPED_PREFIX = '::ffff:';
/** A sensor has a few addresses. A damaged log must not make the set grow without end. */
const MAX_OWN_ADDRESSES = 1_024;

/** Addresses of the sensor: its public address and those it listens on. They never become the value of an event. */
export class OwnAddresses {
  readonly #addresses = new Set<string>();

  add(address: string): void {
    if (this.#addresses.size < MAX_OWN_ADDRESSES && isIP(address) !== 0)
      this.#addresses.add(comparable(address));
  }

  has(address: string): boolean {
    return this.#addresses.has(comparable(address));
  }
}

/** An IPv4 address that an IPv6 socket shows (`::ffff:192.0.2.1`) is the same address. */
function comparable(address: string): string {
  const lower = address.toLowerCase();
  return lower.startsWith(MAPPED_PREFIX) && isIP(lower.slice(MAPPED_PREFIX.length)) === 4
    ? lower.slice(MAPPED_PREFIX.length)
    : lower;
}
