// Addresses of peers in logs, and those that are the sensor's own.

import { isIP } from 'node:net';
import type { IndicatorType } from '../domain/vocabulary.ts';

const MAPPED_PREFIX = '::ffff:';
/** A sensor has a handful of addresses; whatever a damaged log calls its own must not grow without end. */
const MAX_OWN_ADDRESSES = 1_024;

/** The type of an address literal, undefined when it is none. */
export function addressType(text: string): IndicatorType | undefined {
  const version = isIP(text);
  return version === 0 ? undefined : version === 4 ? 'IPV4' : 'IPV6';
}

/** What a sensor calls its own: public address, listening addresses. They never become the value of an event. */
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

/** An IPv4 address seen through an IPv6 socket is the same address. */
function comparable(address: string): string {
  const lower = address.toLowerCase();
  return lower.startsWith(MAPPED_PREFIX) && isIP(lower.slice(MAPPED_PREFIX.length)) === 4
    ? lower.slice(MAPPED_PREFIX.length)
    : lower;
}
