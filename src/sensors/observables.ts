// Observables in a record: addresses, URLs with their hosts, and hashes of captured files.

import { isIP } from 'node:net';
import type { IndicatorType, Severity, ThreatCategory } from '../domain/vocabulary.ts';
import { type Evidence, evidenceOf } from './evidence.ts';

/** One observable in a record. Severity and categories are left out where the domain derives them from the evidence. */
export interface Shown {
  readonly type: IndicatorType;
  readonly value: string;
  readonly evidence: Evidence;
  readonly count?: bigint;
  readonly severity?: Severity;
  readonly categories?: readonly ThreatCategory[];
}

/** The type of an address literal; undefined for other text. */
export function addressType(text: string): IndicatorType | undefined {
  const version = isIP(text);
  return version === 0 ? undefined : version === 4 ? 'IPV4' : 'IPV6';
}

/** The peer of a record as an observable; undefined when the text is not an address. */
export function peer(address: string, evidence: Evidence): Shown | undefined {
  const type = addressType(address);
  return type === undefined ? undefined : { type, value: address, evidence };
}

/** What a record shows besides its peer, with the names of what belongs together. */
export function shownBy(shown: readonly Shown[], address: string, session?: string): readonly Shown[] {
  const named = evidenceOf({ 'peer.address': address, 'session.id': session });
  return shown.map((item) => ({ ...item, evidence: { ...item.evidence, ...named } }));
}

/** The URL and its host, which may be an address or a name. Empty when the text is not an absolute URL. */
export function urlAndHost(text: string, evidence: Evidence): Shown[] {
  const host = hostOf(text);
  if (host === undefined) return [];
  return [
    { type: 'URL', value: text, evidence },
    { type: addressType(host) ?? 'DOMAIN', value: host, evidence },
  ];
}

function hostOf(text: string): string | undefined {
  // The parser drops tabs and line ends silently. It would join two values into one.
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/\p{Cc}/u.test(text) ? URL.parse(text) : null;
  const host = url?.hostname ?? '';
  if (host === '') return undefined;
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

const HASH_TYPES: ReadonlyMap<number, IndicatorType> = new Map([
  [32, 'FILE_HASH_MD5'],
  [40, 'FILE_HASH_SHA1'],
  [64, 'FILE_HASH_SHA256'],
]);

/** Hashes of the empty file, which every failed transfer leaves behind. */
const EMPTY_FILE: ReadonlySet<string> = new Set([
  'd41d8cd98f00b204e9800998ecf8427e',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
]);

/** The hashes among these texts, by their length. Hashes of the empty file are left out. */
export function fileHashes(texts: readonly (string | undefined)[], evidence: Evidence): Shown[] {
  return texts.flatMap((text) => {
    const value = text?.toLowerCase() ?? '';
    const type = /^[0-9a-f]+$/.test(value) ? HASH_TYPES.get(value.length) : undefined;
    return type === undefined || EMPTY_FILE.has(value) ? [] : { type, value, evidence };
  });
}
