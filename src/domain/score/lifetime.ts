// How long an indicator stays valid after it was last seen:
//
//   lifetime   = days × persistence × trust × share
//   validUntil = lastSeen + lifetime
//
// The days depend on the type and the categories. Persistence grows with the sensor-days: who kept an address for weeks
// keeps it longer. Trust grows with the confidence. The share is 0.5 for infrastructure of many. No factor is ever 0, and
// no threshold is involved. Everything comes from the receipt, so anybody can check the result.

import { DAY, type Instant } from '../instant.ts';
import type { IndicatorType, ThreatCategory } from '../vocabulary.ts';

export interface Lifetime {
  /** Days at confidence 50, after one sensor-day. */
  readonly days: number;
  /** Why so many. */
  readonly because: string;
  /** 1 for one sensor-day, and 0.5 more with each doubling. */
  readonly persistence: number;
  /** 0.5 to 1.5, by the confidence. */
  readonly trust: number;
  /** 0.5 for shared infrastructure, otherwise 1. */
  readonly share: number;
}

type Base = Pick<Lifetime, 'days' | 'because'>;

const SCAN: Base = { days: 4, because: 'an address that scanned' };
const ATTACK: Base = { days: 7, because: 'an address that attacked' };
const RELAY: Base = { days: 7, because: 'an address that relays for others' };
const FILE_HOST: Base = { days: 14, because: 'an address with malware' };
const CONTROL_SERVER: Base = { days: 30, because: 'an address that controls malware' };
const NAME: Base = { days: 60, because: 'a name, which is registered for long' };
const PAGE: Base = { days: 14, because: 'a URL, which lives until its host is cleaned' };
const NETWORK: Base = { days: 30, because: 'a network, which changes its owner slowly' };
const MAILBOX: Base = { days: 60, because: 'a mailbox, which lives as long as its domain' };
const CLIENT: Base = { days: 90, because: 'a fingerprint, which lives as long as the program' };
const CERTIFICATE: Base = { days: 90, because: 'a certificate, which is valid for long' };

/** Longest first: if an address has several categories, the longest lifetime counts. */
const ADDRESSES: readonly (readonly [category: ThreatCategory, base: Base])[] = [
  ['COMMAND_AND_CONTROL', CONTROL_SERVER],
  ['BOTNET', FILE_HOST],
  ['MALWARE', FILE_HOST],
  ['PHISHING', FILE_HOST],
  ['BRUTE_FORCE', ATTACK],
  ['EXPLOIT', ATTACK],
  ['SPAM', ATTACK],
  ['TOR_EXIT_NODE', RELAY],
  ['PROXY', RELAY],
];

function baseOf(type: IndicatorType, categories: readonly ThreatCategory[]): Base | undefined {
  switch (type) {
    case 'IPV4':
    case 'IPV6':
      return ADDRESSES.find(([category]) => categories.includes(category))?.[1] ?? SCAN;
    case 'DOMAIN':
      return NAME;
    case 'URL':
      return PAGE;
    case 'CIDR':
      return NETWORK;
    case 'EMAIL':
      return MAILBOX;
    case 'JA3':
      return CLIENT;
    case 'SSL_CERT_FINGERPRINT':
      return CERTIFICATE;
    case 'FILE_HASH_MD5':
    case 'FILE_HASH_SHA1':
    case 'FILE_HASH_SHA256':
    case 'UNSPECIFIED':
      return undefined;
  }
}

export interface LifetimeTerms {
  readonly type: IndicatorType;
  readonly categories: readonly ThreatCategory[];
  readonly sensorDays: number;
  /** 0 to 100. */
  readonly score: number;
  /** The smallest factor of the caps. */
  readonly share: number;
}

/** Undefined for file hashes: a file does not stop being malware. */
export function lifetimeOf({
  type,
  categories,
  sensorDays,
  score,
  share,
}: LifetimeTerms): Lifetime | undefined {
  const base = baseOf(type, categories);
  if (base === undefined) return undefined;
  return {
    ...base,
    persistence: 1 + Math.log2(Math.max(1, sensorDays)) / 2,
    trust: 0.5 + score / 100,
    share: share < 1 ? 0.5 : 1,
  };
}

/** Rounded down to a millisecond. */
export function validUntilOf(
  lastSeen: Instant,
  { days, persistence, trust, share }: Omit<Lifetime, 'because'>,
): Instant {
  return lastSeen + Math.floor(DAY * days * persistence * trust * share);
}
