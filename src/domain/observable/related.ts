// What a lookup of an observable asks for: the observable itself, the host of a URL or an e-mail address, the domains above
// a domain, and the ranges around an address.

import type { IndicatorType } from '../vocabulary.ts';
import { type AddressRange, formatAddress, parseAddress, parseCidr } from './address.ts';
import type { Observable } from './observable.ts';

/** How an indicator answers for a value, in the order of the answer. */
export const MATCH_KINDS = ['UNSPECIFIED', 'EXACT', 'HOST', 'PARENT_DOMAIN', 'COVERING_CIDR'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

export interface Candidate extends Observable {
  readonly kind: MatchKind;
}

export interface RelatedValues {
  readonly candidates: readonly Candidate[];
  /** The ranges around this one can answer too: around the address itself, or around the host. */
  readonly range?: AddressRange;
  /** The range is the value itself, so that an equal range is no further answer. */
  readonly rangeIsValue?: true;
}

/** A host name has at most this many labels in practice. Longer names could name a hundred parents each. */
const MOST_LABELS = 10;

/** One digest can be of several types, which a lookup cannot tell apart. */
const DIGESTS: Readonly<Record<number, readonly IndicatorType[]>> = {
  32: ['FILE_HASH_MD5', 'JA3', 'SSL_CERT_FINGERPRINT'],
  40: ['FILE_HASH_SHA1', 'SSL_CERT_FINGERPRINT'],
  64: ['FILE_HASH_SHA256', 'SSL_CERT_FINGERPRINT'],
};

export function relatedValues({ type, value }: Observable): RelatedValues {
  const exact: Candidate = { kind: 'EXACT', type, value };
  switch (type) {
    case 'URL':
      return withHost(exact, hostOfUrl(value));
    case 'EMAIL':
      return withHost(exact, value.slice(value.lastIndexOf('@') + 1));
    case 'DOMAIN':
      return { candidates: [exact, ...parentsOf(value)] };
    case 'IPV4':
    case 'IPV6':
      return around([exact], rangeOfHost(value));
    case 'CIDR': {
      const range = parseCidr(value);
      return range === undefined
        ? { candidates: [exact] }
        : { candidates: [exact, ...onlyAddress(range)], range, rangeIsValue: true };
    }
    default:
      return {
        candidates: (DIGESTS[value.length] ?? [type]).map((type) => ({ kind: 'EXACT', type, value })),
      };
  }
}

/** The host of a canonical URL, an IPv6 address without its brackets. */
export function hostOfUrl(url: string): string {
  const host = URL.parse(url)?.hostname ?? '';
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

function withHost(exact: Candidate, host: string): RelatedValues {
  const range = rangeOfHost(host);
  if (range === undefined)
    return { candidates: [exact, { kind: 'HOST', type: 'DOMAIN', value: host }, ...parentsOf(host)] };
  const type = range.network.length === 4 ? 'IPV4' : 'IPV6';
  return around([exact, { kind: 'HOST', type, value: host }], range);
}

/** A range of one address is another spelling of that address. */
function onlyAddress({ network, prefix }: AddressRange): Candidate[] {
  if (prefix < 8 * network.length) return [];
  return [{ kind: 'EXACT', type: network.length === 4 ? 'IPV4' : 'IPV6', value: formatAddress(network) }];
}

function around(candidates: readonly Candidate[], range: AddressRange | undefined): RelatedValues {
  return range === undefined ? { candidates } : { candidates, range };
}

function rangeOfHost(host: string): AddressRange | undefined {
  const network = parseAddress(host);
  return network === undefined ? undefined : { network, prefix: 8 * network.length };
}

/** The nearest first. A top-level domain is no indicator. */
function parentsOf(name: string): Candidate[] {
  const labels = name.split('.').slice(-MOST_LABELS - 1);
  const parents: Candidate[] = [];
  for (let first = 1; first < labels.length - 1; first++)
    parents.push({ kind: 'PARENT_DOMAIN', type: 'DOMAIN', value: labels.slice(first).join('.') });
  return parents;
}
