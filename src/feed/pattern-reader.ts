// Reading STIX patterns (STIX 2.1 §9): those that we write, and lists of them joined by OR. Anything else is refused,
// since an AND, a NOT or a sequence says something about its parts that no single observable says.

import type { IndicatorType } from '../domain/vocabulary.ts';

/** One comparison of a pattern, as a value that is still to be checked. */
export interface PatternTerm {
  readonly type: IndicatorType;
  readonly value: string;
}

export type ReadPattern =
  | { readonly ok: true; readonly terms: readonly PatternTerm[] }
  | { readonly ok: false; readonly reason: string };

/** More than these in one pattern is a list, and wants several indicators. */
const TERM_LIMIT = 1_000;
const LENGTH_LIMIT = 1_000_000;

/** Object paths without their quotes; an IN list gives a type for each of its values. */
const TYPES: ReadonlyMap<string, IndicatorType> = new Map([
  ['ipv4-addr:value', 'IPV4'],
  ['ipv6-addr:value', 'IPV6'],
  ['domain-name:value', 'DOMAIN'],
  ['url:value', 'URL'],
  ['email-addr:value', 'EMAIL'],
  ['file:hashes.MD5', 'FILE_HASH_MD5'],
  ['file:hashes.SHA-1', 'FILE_HASH_SHA1'],
  ['file:hashes.SHA-256', 'FILE_HASH_SHA256'],
  ['x509-certificate:hashes.MD5', 'SSL_CERT_FINGERPRINT'],
  ['x509-certificate:hashes.SHA-1', 'SSL_CERT_FINGERPRINT'],
  ['x509-certificate:hashes.SHA-256', 'SSL_CERT_FINGERPRINT'],
]);

/** Bracket, parenthesis or comma; operator; string; path or word. Each alternative starts with another character. */
const TOKEN = /\s*(?:([[\](),])|(!?=)|('(?:[^'\\]|\\.)*')|([\w:.-]+(?:'[^'\\]*'[\w:.-]*)*))/sy;

/** @param ja3Path the path under which our extension keeps JA3 fingerprints. */
export function readPattern(pattern: string, ja3Path: string): ReadPattern {
  if (pattern.length > LENGTH_LIMIT) return refuse('the pattern is too long');
  const tokens = tokenize(pattern);
  if (tokens === undefined) return refuse('the pattern cannot be read');
  const terms: PatternTerm[] = [];
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const is = (word: string): boolean => tokens[at]?.toUpperCase() === word;

  do {
    if (next() !== '[') return refuse('the pattern is not a list of observations joined by OR');
    do {
      const path = next();
      const type = typeOf(path, ja3Path);
      if (type === undefined) return refuse(`the object path ${path.slice(0, 100)} is not understood`);
      const operator = next().toUpperCase();
      const values = operator === 'IN' ? readList(next) : [next()];
      if (!['=', 'IN', 'ISSUBSET'].includes(operator) || values === undefined) {
        return refuse('only =, IN and ISSUBSET are understood');
      }
      for (const literal of values) {
        if (!literal.startsWith("'")) return refuse('only strings can be compared with');
        terms.push(termOf(type, unquote(literal), operator));
      }
      if (terms.length > TERM_LIMIT) return refuse(`the pattern has more than ${TERM_LIMIT} comparisons`);
    } while (is('OR') && next());
    if (next() !== ']') return refuse('only comparisons joined by OR are understood');
  } while (is('OR') && next());
  return at === tokens.length
    ? { ok: true, terms }
    : refuse('the pattern is not a list of observations joined by OR');
}

function refuse(reason: string): ReadPattern {
  return { ok: false, reason };
}

function tokenize(pattern: string): readonly string[] | undefined {
  const tokens: string[] = [];
  const text = pattern.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) return undefined;
    tokens.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '');
  }
  return tokens;
}

/** Undefined unless it is `( literal, ... )`. */
function readList(next: () => string): readonly string[] | undefined {
  if (next() !== '(') return undefined;
  const values: string[] = [];
  for (;;) {
    values.push(next());
    const separator = next();
    if (separator === ')') return values;
    if (separator !== ',') return undefined;
  }
}

function typeOf(path: string, ja3Path: string): IndicatorType | undefined {
  if (path === ja3Path) return 'JA3';
  return TYPES.get(path.replaceAll("'", ''));
}

/** An address with a prefix length is a range, whichever operator was chosen. */
function termOf(type: IndicatorType, value: string, operator: string): PatternTerm {
  const isAddress = type === 'IPV4' || type === 'IPV6';
  return isAddress && (operator === 'ISSUBSET' || value.includes('/'))
    ? { type: 'CIDR', value }
    : { type, value };
}

function unquote(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
}
