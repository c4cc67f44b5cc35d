// Reading STIX patterns (STIX 2.1 §9): those that we write, and lists of them joined by OR. Anything else is refused,
// since an AND, a NOT or a sequence says something about its parts that no single observable says. The one AND that is
// understood says no more than an address: the type and the value of one end of network traffic, as MISP writes them.

import type { IndicatorType } from '../../domain/vocabulary.ts';
import { excerpt, StixFault } from '../stix-fault.ts';

/** One comparison of a pattern, as a value that is still to be checked. */
export interface PatternTerm {
  readonly type: IndicatorType;
  readonly value: string;
}

/** More than these in one pattern is a list, and wants several indicators. */
const TERM_LIMIT = 1_000;
const TOO_MANY = `the pattern has more than ${TERM_LIMIT} comparisons`;
/** In characters: room for so many comparisons with URLs, and few enough to be read at one go. */
const LENGTH_LIMIT = 250_000;
/** What an observable can have at most. */
const VALUE_LENGTH_LIMIT = 4_096;

/** A part of an object path in quotes. What is quoted otherwise is no path. */
const QUOTED_PART = /(?<=[:.])'([\w-]+)'(?=\.|$)/g;

/** Object paths without their quotes. Hashes are also written without the hyphen of `hash-algorithm-ov`. */
const TYPES: ReadonlyMap<string, IndicatorType> = new Map([
  ['ipv4-addr:value', 'IPV4'],
  ['ipv6-addr:value', 'IPV6'],
  ['domain-name:value', 'DOMAIN'],
  ['url:value', 'URL'],
  ['email-addr:value', 'EMAIL'],
  ['file:hashes.MD5', 'FILE_HASH_MD5'],
  ['file:hashes.SHA-1', 'FILE_HASH_SHA1'],
  ['file:hashes.SHA1', 'FILE_HASH_SHA1'],
  ['file:hashes.SHA-256', 'FILE_HASH_SHA256'],
  ['file:hashes.SHA256', 'FILE_HASH_SHA256'],
  ['x509-certificate:hashes.MD5', 'SSL_CERT_FINGERPRINT'],
  ['x509-certificate:hashes.SHA-1', 'SSL_CERT_FINGERPRINT'],
  ['x509-certificate:hashes.SHA1', 'SSL_CERT_FINGERPRINT'],
  ['x509-certificate:hashes.SHA-256', 'SSL_CERT_FINGERPRINT'],
  ['x509-certificate:hashes.SHA256', 'SSL_CERT_FINGERPRINT'],
]);

/** The addresses that one end of network traffic may be said to be. */
const END_TYPES: ReadonlyMap<string, IndicatorType> = new Map([
  ['ipv4-addr', 'IPV4'],
  ['ipv6-addr', 'IPV6'],
]);
const END_PATH = /^network-traffic:(src|dst)_ref\.(type|value)$/;

/**
 * Bracket, parenthesis or comma; operator, in both spellings of the grammar; string; path or word. Each alternative
 * starts with another character.
 */
const TOKEN = /\s*(?:([[\](),])|(==?|!=|<>|[<>]=?)|('(?:[^'\\]|\\.)*')|([\w:.-]+(?:'[^'\\]*'[\w:.-]*)*))/sy;

/**
 * @param ja3Path the path under which our extension keeps JA3 fingerprints.
 * @throws StixFault.
 */
export function readPattern(pattern: string, ja3Path: string): readonly PatternTerm[] {
  return readObservations(tokenize(pattern), ja3Path);
}

/** `[ ... ] OR [ ... ]`. */
function readObservations(tokens: Tokens, ja3Path: string): readonly PatternTerm[] {
  const terms: PatternTerm[] = [];
  const expect = (token: string, reason: string): void => {
    if (!tokens.take(token)) throw new StixFault(reason);
  };
  do {
    expect('[', 'the pattern is not a list of observations joined by OR');
    do {
      terms.push(...readComparison(tokens, ja3Path));
      if (terms.length > TERM_LIMIT) throw new StixFault(TOO_MANY);
    } while (tokens.take('OR'));
    if (tokens.take('AND')) throw new StixFault('only comparisons joined by OR are understood');
    expect(']', 'a comparison is not followed by OR or ]');
  } while (tokens.take('OR'));
  expect('', 'the pattern is not a list of observations joined by OR');
  return terms;
}

function readComparison(tokens: Tokens, ja3Path: string): readonly PatternTerm[] {
  const path = tokens.next();
  const [, end, member] = END_PATH.exec(path) ?? [];
  if (end !== undefined && member !== undefined) return [readEnd(tokens, end, member)];
  const type = path === ja3Path ? 'JA3' : TYPES.get(path.replaceAll(QUOTED_PART, '$1'));
  if (type === undefined) throw new StixFault(`the object path ${excerpt(path, 100)} is not understood`);
  if (tokens.take('=')) return [termOf(type, readText(tokens))];
  if (tokens.take('IN')) return readList(tokens).map((value) => termOf(type, value));
  if (!tokens.take('ISSUBSET')) throw new StixFault('only =, IN and ISSUBSET are understood');
  if (!isAddress(type)) throw new StixFault('ISSUBSET is understood of addresses only');
  return [{ type: 'CIDR', value: readText(tokens) }];
}

/** `type = '...' AND value = '...'` of one end, in either order. AND binds closer than OR (§9.8). */
function readEnd(tokens: Tokens, end: string, member: string): PatternTerm {
  const only = 'of network traffic only the type and the value of one end are understood';
  const parts = new Map<string, string>();
  const readPart = (name: string): void => {
    if (!tokens.take('=')) throw new StixFault(only);
    parts.set(name, readText(tokens));
  };
  const other = member === 'type' ? 'value' : 'type';
  readPart(member);
  if (!tokens.take('AND') || tokens.next() !== `network-traffic:${end}_ref.${other}`)
    throw new StixFault(only);
  readPart(other);
  const type = END_TYPES.get(parts.get('type') ?? '');
  if (type === undefined) throw new StixFault('an end of network traffic is an ipv4-addr or an ipv6-addr');
  return termOf(type, parts.get('value') ?? '');
}

/** `( literal, ... )`. */
function readList(tokens: Tokens): readonly string[] {
  const values: string[] = [];
  let more = tokens.take('(');
  if (!more) throw new StixFault('IN is understood with a list only');
  while (more) {
    values.push(readText(tokens));
    if (values.length > TERM_LIMIT) throw new StixFault(TOO_MANY);
    more = tokens.take(',');
  }
  if (!tokens.take(')')) throw new StixFault('IN is understood with a list only');
  return values;
}

function readText(tokens: Tokens): string {
  const literal = tokens.next();
  if (!literal.startsWith("'")) throw new StixFault('only strings can be compared with');
  const value = literal.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
  if (value.length > VALUE_LENGTH_LIMIT) {
    throw new StixFault(`a value has at most ${VALUE_LENGTH_LIMIT} characters`);
  }
  return value;
}

/** An address with a prefix length is a range, though it was compared by `=`. */
function termOf(type: IndicatorType, value: string): PatternTerm {
  return isAddress(type) && value.includes('/') ? { type: 'CIDR', value } : { type, value };
}

function isAddress(type: IndicatorType): boolean {
  return type === 'IPV4' || type === 'IPV6';
}

/** Those of a pattern, from the first on; the empty one stands for its end. */
interface Tokens {
  next(): string;
  /** Whether the next one is this, in the capitals of the grammar or not; then it is taken. */
  take(token: string): boolean;
}

/** One by one: a pattern is often refused at its beginning. */
function tokenize(pattern: string): Tokens {
  if (pattern.length > LENGTH_LIMIT)
    throw new StixFault(`the pattern has more than ${LENGTH_LIMIT} characters`);
  const text = pattern.trim();
  let at = 0;
  const read = (): string => {
    if (at === text.length) return '';
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new StixFault('the pattern cannot be read');
    at = TOKEN.lastIndex;
    const [, mark, operator, literal, path] = match;
    return mark ?? (operator === '==' ? '=' : operator) ?? literal ?? path ?? '';
  };
  let upcoming = read();
  const next = (): string => {
    const token = upcoming;
    upcoming = read();
    return token;
  };
  return {
    next,
    take: (token) => {
      const isNext = upcoming.toUpperCase() === token;
      if (isNext) next();
      return isNext;
    },
  };
}
