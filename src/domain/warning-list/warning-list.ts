// Warning lists of known harmless or shared values, in the format of the MISP project, and their effect on a score.

import { INDICATOR_TYPES, type IndicatorType, type Severity } from '../vocabulary.ts';

/** How entries are compared. `regex` is not supported, since foreign patterns are never compiled. */
export const LIST_KINDS = ['string', 'substring', 'hostname', 'cidr'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

export interface WarningList {
  /** The name of its folder: short and stable. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly kind: ListKind;
  /** MISP attribute types that the list covers, such as `ip-src` or `domain|ip`; empty for all. */
  readonly attributes: readonly string[];
  /** As written. */
  readonly entries: readonly string[];
  /** What the list states. Absent: told by its name. */
  readonly standing?: Standing;
}

/** How an indicator matches an entry. */
export type Relation =
  /** The indicator is the entry, or an address or range inside it. */
  | 'itself'
  /** The indicator is a name below the entry. */
  | 'below'
  /** The indicator is a URL with a path or query on a listed host. */
  | 'page'
  /** The indicator is a range that contains the entry. */
  | 'around';

/**
 * What a list states about its entries. `known`: harmless, or too important to block. `shared`: infrastructure with
 * many users. `scanner`: research that scans the whole Internet. `noted`: worth showing to an analyst, without effect.
 */
export type Standing = 'known' | 'shared' | 'scanner' | 'noted';

export interface ListEffect {
  readonly limit: number;
  readonly factor?: number;
  readonly severity?: Severity;
  readonly because: string;
}

export const LIST_EFFECTS: Readonly<Record<Exclude<Standing, 'noted'>, ListEffect>> = {
  known: {
    limit: 10,
    severity: 'INFO',
    because: 'it is known to belong to nobody in particular or to be in use everywhere',
  },
  shared: {
    limit: 70,
    factor: 0.7,
    because: 'it is shared by many, most of whom have nothing to do with this',
  },
  scanner: { limit: 50, severity: 'LOW', because: 'it is known to scan the Internet for research' },
};

/** Ranks of popular names: up to the first a name is `known`, up to the second `shared`. */
const KNOWN_RANK = 1_000;
const SHARED_RANK = 20_000;

/** Tried in order. They match the names of MISP's lists. An operator can use the same words in own lists. */
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

export function standingOf({ name, id, standing }: Pick<WarningList, 'name' | 'id' | 'standing'>): Standing {
  if (standing !== undefined) return standing;
  const rank = rankOf(name);
  if (rank !== undefined) {
    if (rank <= KNOWN_RANK) return 'known';
    return rank <= SHARED_RANK ? 'shared' : 'noted';
  }
  return STANDINGS.find(([pattern]) => pattern.test(name) || pattern.test(id))?.[1] ?? 'noted';
}

/** The length of a list of popular names: `Top 1000 websites`, `Top 20,000 domains`, `Top 10K sites`. */
function rankOf(name: string): number | undefined {
  const [, digits, unit] = /\btop ([0-9]+(?:[ ,.][0-9]{3})*)(k|m)?\b/i.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const factor = { k: 1_000, m: 1_000_000 }[unit?.toLowerCase() ?? ''] ?? 1;
  return Number(digits.replace(/[ ,.]/g, '')) * factor;
}

/**
 * The standing of an indicator that is only related to an entry. One page on a known host may be malicious, and so may
 * the addresses around a known one. Names below a known domain belong to its owner, but names below a shared domain
 * belong to anybody.
 */
export function standingUnder(standing: Standing, relation: Relation): Standing {
  if (relation === 'itself' || (relation === 'below' && standing === 'known')) return standing;
  return standing === 'known' ? 'shared' : 'noted';
}

/** MISP attribute types by indicator type. A composite type is split first. */
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

/** The indicator types that a list covers. */
export function typesOf({ attributes }: Pick<WarningList, 'attributes'>): ReadonlySet<IndicatorType> {
  const parts = attributes.flatMap((attribute) => attribute.toLowerCase().split('|'));
  return new Set(
    INDICATOR_TYPES.filter((type) => parts.length === 0 || parts.some((part) => ATTRIBUTES[type].test(part))),
  );
}
