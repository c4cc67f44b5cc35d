// Warning lists: values that are known not to be somebody's in particular, in the format of the MISP project, and what
// being on one does to a score.

import { INDICATOR_TYPES, type IndicatorType, type Severity } from '../vocabulary.ts';

/** How entries are compared. `regex` is left out: patterns from outside are never compiled. */
export const LIST_KINDS = ['string', 'substring', 'hostname', 'cidr'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

export interface WarningList {
  /** Short and stable: the name of its folder. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly kind: ListKind;
  /** MISP attribute types that the list is about, such as `ip-src` or `domain|ip`; empty for all. */
  readonly attributes: readonly string[];
  /** As written. */
  readonly entries: readonly string[];
}

/** How an indicator and an entry of a list meet. */
export type Relation =
  /** The indicator is the entry, or an address or a range inside of it. */
  | 'itself'
  /** A name below the entry. */
  | 'below'
  /** A URL with a path or a query on a host that is on the list. */
  | 'page'
  /** A range around the entry. */
  | 'around';

/**
 * What a list says about its entries.
 * `known`: nobody's in particular, or too important to be blocked. `shared`: infrastructure of many at once.
 * `scanner`: research that looks at the whole Internet. `noted`: worth telling an analyst, no more.
 */
export type Standing = 'known' | 'shared' | 'scanner' | 'noted';

export interface ListEffect {
  readonly limit: number;
  readonly factor?: number;
  readonly severity?: Severity;
  readonly because: string;
}

export const LIST_EFFECTS: Readonly<Record<Exclude<Standing, 'noted'>, ListEffect>> = {
  known: { limit: 10, because: 'it is known to belong to nobody in particular or to be in use everywhere' },
  shared: {
    limit: 40,
    factor: 0.5,
    because: 'it is shared by many, most of whom have nothing to do with this',
  },
  scanner: { limit: 50, severity: 'LOW', because: 'it is known to scan the Internet for research' },
};

/** Up to here a name is one that everybody uses; up to the second, one that many do. */
const KNOWN_RANK = 1_000;
const SHARED_RANK = 20_000;

/** Tried in order. MISP's lists are meant, as they are named there; an operator's own may follow the same words. */
const STANDINGS: readonly (readonly [pattern: RegExp, standing: Standing])[] = [
  [/\bscan(?:ning|ners?)\b|\bcensys\b|\bshodan\b|\bshadowserver\b|\btenable\b|\bxpanse\b/i, 'scanner'],
  [/\bpublic (?:dns )?resolvers\b|\bpublic-dns\b/i, 'known'],
  [/\brfc ?\d{4}\b|\blink local\b/i, 'known'],
  [/\bempty files\b|\bbenign files\b|\bfalse[- ]positives\b|\beicar\b|\bwindows binaries\b/i, 'known'],
  [/\b(?:aws|azure|gcp|cloud|cdn|data ?cent(?:er|re)s?|vpn|zscaler|private relay)\b/i, 'shared'],
  [
    /\b(?:akamai|cachefly|cdn77|cloudflare|digitalocean|fastly|gcore|hetzner|imperva|ovh|stackpath)\b/i,
    'shared',
  ],
  [/\bdynamic[- ]dns\b|\burl shorteners?\b|\btlds\b/i, 'shared'],
];

export function standingOf({ name, id }: Pick<WarningList, 'name' | 'id'>): Standing {
  const rank = rankOf(name);
  if (rank !== undefined) {
    if (rank <= KNOWN_RANK) return 'known';
    return rank <= SHARED_RANK ? 'shared' : 'noted';
  }
  return STANDINGS.find(([pattern]) => pattern.test(name) || pattern.test(id))?.[1] ?? 'noted';
}

/** How long a list of the most used names is: `Top 1000 websites`, `Top 20,000 domains`, `Top 10K sites`. */
function rankOf(name: string): number | undefined {
  const [, digits, unit] = /\btop ([0-9]+(?:[ ,.][0-9]{3})*)(k|m)?\b/i.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const factor = { k: 1_000, m: 1_000_000 }[unit?.toLowerCase() ?? ''] ?? 1;
  return Number(digits.replace(/[ ,.]/g, '')) * factor;
}

/**
 * What is left of a standing when an indicator only has to do with an entry. A page on a well-known host may be the one
 * bad page there, and a range around a well-known address may be bad all around it; so may be a name that a stranger
 * registered below a domain that is shared, while names below a well-known one belong to its owner.
 */
export function standingUnder(standing: Standing, relation: Relation): Standing {
  if (relation === 'itself' || (relation === 'below' && standing === 'known')) return standing;
  return standing === 'known' ? 'shared' : 'noted';
}

/** MISP attribute types by indicator type, composite ones taken apart. */
const ATTRIBUTES: Readonly<Record<IndicatorType, RegExp>> = {
  UNSPECIFIED: /^$/,
  IPV4: /^ip(?:-src|-dst)?$/,
  IPV6: /^ip(?:-src|-dst)?$/,
  CIDR: /^ip(?:-src|-dst)?$/,
  DOMAIN: /^(?:domain|hostname)$/,
  URL: /^(?:url|uri|link)$/,
  FILE_HASH_MD5: /^md5$/,
  FILE_HASH_SHA1: /^sha1$/,
  FILE_HASH_SHA256: /^sha256$/,
  EMAIL: /(?:^|-)email(?:-|$)/,
  JA3: /^ja3-fingerprint-md5$/,
  SSL_CERT_FINGERPRINT: /^x509-fingerprint-/,
};

/** The indicator types that a list is about. */
export function typesOf({ attributes }: Pick<WarningList, 'attributes'>): ReadonlySet<IndicatorType> {
  const parts = attributes.flatMap((attribute) => attribute.toLowerCase().split('|'));
  return new Set(
    INDICATOR_TYPES.filter((type) => parts.length === 0 || parts.some((part) => ATTRIBUTES[type].test(part))),
  );
}
