// How confidence fades: score(t) = base × (1 − (t / tau)^(1/delta)), the polynomial of the MISP decaying models
// (arXiv:1803.11052), with t counted from the last sighting. The stored score never fades with the clock; decay shows
// in validUntil, and in how much an old report still counts beside a newer one.

import { DAY, type Instant } from '../instant.ts';
import type { IndicatorType, ThreatCategory } from '../vocabulary.ts';

export interface Decay {
  /** Lifetime: after so many days without a sighting nothing is left. */
  readonly tauDays: number;
  /** Speed: above 1 confidence falls fast at first and slowly later. */
  readonly delta: number;
  /** The score below which an indicator is stale. */
  readonly threshold: number;
}

/** MISP's default for network indicators, and the usual floor for automatic use. */
const DELTA = 2;
const THRESHOLD = 30;

function decay(tauDays: number, delta = DELTA): Decay {
  return { tauDays, delta, threshold: THRESHOLD };
}

/** Scanners' addresses are leased and cleaned up: within a month most belong to somebody else. */
const ADDRESS = decay(30);
/** A command-and-control server is rented and kept. */
const CONTROL_SERVER = decay(90);
/** Registered for a year, dropped after half of it. */
const DOMAIN = decay(180);
/** Phishing pages live for days; MISP's model for them falls a little faster, too. */
const PHISHING_PAGE = decay(7, 2.3);
/** Other URLs live until the host is cleaned. */
const URL_PATH = decay(30);
/** Networks change hands slower than single addresses. */
const NETWORK = decay(90);
/** A mailbox lives as long as the domain it is in. */
const MAILBOX = decay(180);
/** A TLS client changes its fingerprint with its build, about yearly. */
const CLIENT = decay(365);
/** Self-signed certificates are issued for a year at least. */
const CERTIFICATE = decay(365);

/** Categories that make an address a server somebody keeps. */
function isControlServer(categories: readonly ThreatCategory[]): boolean {
  return categories.includes('COMMAND_AND_CONTROL');
}

/** A page that is there for phishing only. */
function isPhishingOnly(categories: readonly ThreatCategory[]): boolean {
  return categories.length === 1 && categories[0] === 'PHISHING';
}

/**
 * The decay of a type under its categories. Undefined for file hashes: a file does not stop being malware.
 * Where several would fit, the longest lifetime holds.
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

/** What is left after an age in milliseconds: 1 at once, 0 from tau on. Never rises with age. */
export function remaining(age: number, { tauDays, delta }: Decay): number {
  if (age <= 0) return 1;
  const lived = age / (tauDays * DAY);
  if (lived >= 1) return 0;
  return 1 - (delta === 2 ? Math.sqrt(lived) : lived ** (1 / delta));
}

/**
 * The instant at which a score, fading from lastSeen on, meets the threshold: the inverse of `remaining`, rounded down
 * to a millisecond. A score at or below the threshold is stale at once.
 */
export function staleAfter(score: number, lastSeen: Instant, { tauDays, delta, threshold }: Decay): Instant {
  if (score <= threshold) return lastSeen;
  return lastSeen + Math.floor(tauDays * DAY * (1 - threshold / score) ** delta);
}
