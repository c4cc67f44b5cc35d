// How much an old report still weighs beside a newer one: 1 − (t / tau)^(1/delta), the polynomial of the MISP decaying
// models (arXiv:1803.11052), with t between the last observation of a source and the indicator's lastSeen. The clock has
// no influence.

import { DAY } from '../instant.ts';
import type { IndicatorType, ThreatCategory } from '../vocabulary.ts';

export interface Decay {
  /** Age in days from which a report weighs nothing. */
  readonly tauDays: number;
  /** Speed. Above 1, the weight falls fast at first and slowly later. */
  readonly delta: number;
}

/** The MISP default for network indicators. */
const DELTA = 2;

function decay(tauDays: number, delta = DELTA): Decay {
  return { tauDays, delta };
}

/** Addresses of scanners are leased or cleaned up. Within a month most of them have a new user. */
const ADDRESS = decay(30);
/** A command-and-control server is rented and kept. */
const CONTROL_SERVER = decay(90);
/** Half of a registration year. */
const DOMAIN = decay(180);
/** Phishing pages live for days. The MISP model for them also falls a little faster. */
const PHISHING_PAGE = decay(7, 2.3);
/** Other URLs live until the host is cleaned. */
const URL_PATH = decay(30);
/** Networks change their owner more slowly than single addresses. */
const NETWORK = decay(90);
/** A mailbox lives as long as its domain. */
const MAILBOX = decay(180);
/** The fingerprint of a TLS client changes with its build, about once a year. */
const CLIENT = decay(365);
/** Self-signed certificates are valid for at least a year. */
const CERTIFICATE = decay(365);

/** An address of this category is a server that its operator keeps. */
function isControlServer(categories: readonly ThreatCategory[]): boolean {
  return categories.includes('COMMAND_AND_CONTROL');
}

/** A page with other categories is not removed as fast. */
function isPhishingOnly(categories: readonly ThreatCategory[]): boolean {
  return categories.length === 1 && categories[0] === 'PHISHING';
}

/**
 * The decay of a type with these categories. If several apply, the longest one counts. Undefined for file hashes: a file
 * does not stop being malware.
 */
export function decayOf(type: IndicatorType, categories: readonly ThreatCategory[]): Decay | undefined {
  switch (type) {
    case 'IPV4':
    case 'IPV6':
      return isControlServer(categories) ? CONTROL_SERVER : ADDRESS;
    case 'DOMAIN':
      return DOMAIN;
    case 'URL':
      return isPhishingOnly(categories) ? PHISHING_PAGE : URL_PATH;
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

/** The share that is left after an age in milliseconds: 1 at age 0, 0 from tau on, never rising in between. */
export function remaining(age: number, { tauDays, delta }: Decay): number {
  if (age <= 0) return 1;
  const lived = age / (tauDays * DAY);
  if (lived >= 1) return 0;
  return 1 - (delta === 2 ? Math.sqrt(lived) : lived ** (1 / delta));
}
