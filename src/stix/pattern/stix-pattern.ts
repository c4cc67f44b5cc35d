// STIX patterns (STIX 2.1 §9): one comparison per indicator type.

import type { IndicatorType } from '../../domain/vocabulary.ts';

/** The types of published indicators. */
export type ObservableType = Exclude<IndicatorType, 'UNSPECIFIED'>;

type Pattern = (value: string, extensionId: string) => string;

const PATTERNS: Readonly<Record<ObservableType, Pattern>> = {
  IPV4: (value) => comparison('ipv4-addr:value', '=', value),
  IPV6: (value) => comparison('ipv6-addr:value', '=', value),
  DOMAIN: (value) => comparison('domain-name:value', '=', value),
  URL: (value) => comparison('url:value', '=', value),
  FILE_HASH_MD5: (value) => comparison('file:hashes.MD5', '=', value),
  FILE_HASH_SHA1: (value) => comparison("file:hashes.'SHA-1'", '=', value),
  FILE_HASH_SHA256: (value) => comparison("file:hashes.'SHA-256'", '=', value),
  EMAIL: (value) => comparison('email-addr:value', '=', value),
  // `=` would match only the text of the range. ISSUBSET matches the addresses in it (§9.6.1).
  CIDR: (value) => comparison(`${value.includes(':') ? 'ipv6' : 'ipv4'}-addr:value`, 'ISSUBSET', value),
  // STIX has no path for JA3. Our extension of network-traffic defines the property.
  JA3: (value, extensionId) => comparison(ja3Path(extensionId), '=', value),
  SSL_CERT_FINGERPRINT: (value) =>
    comparison(`x509-certificate:hashes.'${hashAlgorithm(value)}'`, '=', value),
};

/**
 * The pattern that detects an observable, for `pattern_type` "stix" and `pattern_version` "2.1".
 * @param value in canonical form: a fingerprint has 32, 40 or 64 digits.
 */
export function stixPattern(type: ObservableType, value: string, extensionId: string): string {
  return PATTERNS[type](value, extensionId);
}

/** The object path of a JA3 fingerprint in our extension of network-traffic. */
export function ja3Path(extensionId: string): string {
  return `network-traffic:extensions.'${extensionId}'.ja3`;
}

/** The algorithm of a hexadecimal hash by its length, in the spelling of `hash-algorithm-ov`. */
function hashAlgorithm(hash: string): string {
  if (hash.length === 32) return 'MD5';
  return hash.length === 40 ? 'SHA-1' : 'SHA-256';
}

function comparison(path: string, operator: '=' | 'ISSUBSET', value: string): string {
  return `[${path} ${operator} '${escapeLiteral(value)}']`;
}

/** §9.2: inside a string literal only the quote and the backslash are escaped. */
function escapeLiteral(value: string): string {
  return value.includes("'") || value.includes('\\') ? value.replaceAll(/['\\]/g, '\\$&') : value;
}
