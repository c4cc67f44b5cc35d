// Refuses values that cover too many strangers: wide address ranges and public suffixes
// (docs/decisions/0022-no-indicator-covers-everybody.md).

import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { carriedRange, parseCidr } from '../domain/observable/address.ts';
import type { Observable } from '../domain/observable/observable.ts';

export interface BreadthOptions {
  /** A range with fewer fixed bits is refused. */
  readonly minPrefixIpv4: number;
  readonly minPrefixIpv6: number;
}

export type BreadthRefusalReason = 'RANGE_TOO_WIDE' | 'PUBLIC_SUFFIX';

/** Whether strangers can register names directly below this canonical name. */
export type IsPublicSuffix = (name: string) => boolean;

/** Undefined if the value is narrow enough. A URL or an e-mail address is always narrow, whatever its host. */
export function refuseBreadth(
  { type, value }: Observable,
  options: BreadthOptions,
  isPublicSuffix: IsPublicSuffix,
): BreadthRefusalReason | undefined {
  if (type === 'DOMAIN') return isPublicSuffix(value) ? 'PUBLIC_SUFFIX' : undefined;
  if (type === 'CIDR') return isTooWide(value, options) ? 'RANGE_TOO_WIDE' : undefined;
  return undefined;
}

function isTooWide(value: string, { minPrefixIpv4, minPrefixIpv6 }: BreadthOptions): boolean {
  const range = parseCidr(value);
  if (range === undefined) return false;
  const { network, prefix } = carriedRange(range);
  return prefix < (network.length === 4 ? minPrefixIpv4 : minPrefixIpv6);
}

/** The names are canonical already, so tldts need not look for a host or an address in them. */
const CANONICAL_NAME = { extractHostname: false, validateHostname: false, detectIp: false };
const ICANN_SECTION = { ...CANONICAL_NAME, allowPrivateDomains: false };
const BOTH_SECTIONS = { ...CANONICAL_NAME, allowPrivateDomains: true };
/** A label that no rule of the list names, so only a wildcard matches it. */
const UNLISTED_LABEL = '-';

/**
 * The check that these events need. The list takes 15 ms and 6 MB to load, so it is loaded with the first event that
 * can report a name.
 */
export async function publicSuffixesFor(events: readonly SensorEvent[]): Promise<IsPublicSuffix> {
  if (!events.some(canReportName)) return () => false;
  const { getPublicSuffix } = await import('tldts');
  const inIcannSection = (name: string) => getPublicSuffix(name, ICANN_SECTION) === name;
  const inList = (name: string) => getPublicSuffix(name, BOTH_SECTIONS) === name;
  const hasWildcard = (name: string) => inList(`${UNLISTED_LABEL}.${name}`);
  // Below a wildcard of a company, a name mostly belongs to one customer or one machine.
  return (name) =>
    inIcannSection(name) || hasWildcard(name) || (inList(name) && !hasWildcard(parentOf(name)));
}

function parentOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** An event without a type gets it by the form of its value. An address then needs no list either. */
function canReportName({ indicatorType, value }: SensorEvent): boolean {
  return indicatorType === 'DOMAIN' || (indicatorType === 'UNSPECIFIED' && !/^[0-9.]*$/.test(value));
}
