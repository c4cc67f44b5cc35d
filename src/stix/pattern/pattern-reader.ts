// Reads STIX patterns (STIX 2.1 §9): those that we write, and lists of them joined by OR. Other patterns are refused,
// since an AND, a NOT or a sequence is more than a list of observables. One AND is accepted because it means a single
// address: the type and the value of one end of network traffic, as MISP writes them.

import type { IndicatorType } from '../../domain/vocabulary.ts';
import { excerpt, StixFault } from '../stix-fault.ts';

/** One comparison of a pattern. Its value is not validated yet. */
export interface PatternTerm {
  readonly type: IndicatorType;
  readonly value: string;
}

/** A longer list of comparisons belongs into several indicators. */
const TERM_LIMIT = 1_000;
const TOO_MANY = `the pattern has more than ${TERM_LIMIT} comparisons`;
/** In characters. Enough for 1,000 comparisons with URLs, and short enough to be read without a break. */
const LENGTH_LIMIT = 250_000;
/** In characters, as for every observable. */
const VALUE_LENGTH_LIMIT = 4_096;

/** A quoted part of an object path. */
const QUOTED_PART = /(?<=[:.])'([\w-]+)'(?=\.|$)/g;

/** Object paths without their quotes. Some senders write hashes without the hyphen of `hash-algorithm-ov`. */
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

/** The types of address that one end of network traffic can have. */
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
    if (tokens.take('AND')) throw new StixFault('only comparisons joined by OR are supported');
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
  if (type === undefined) throw new StixFault(`the object path ${excerpt(path, 100)} is not supported`);
  if (tokens.take('=')) return [termOf(type, readText(tokens))];
  if (tokens.take('IN')) return readList(tokens).map((value) => termOf(type, value));
  if (!tokens.take('ISSUBSET')) throw new StixFault('only the operators =, IN and ISSUBSET are supported');
  if (!isAddress(type)) throw new StixFault('ISSUBSET is supported for addresses only');
  return [{ type: 'CIDR', value: readText(tokens) }];
}

/** `type = '...' AND value = '...'` of one end, in either order. AND binds more tightly than OR (§9.8). */
function readEnd(tokens: Tokens, end: string, member: string): PatternTerm {
  const only = 'network traffic is supported only with the type and value of one end';
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
  if (type === undefined) throw new StixFault('the end of network traffic must be an ipv4-addr or ipv6-addr');
  return termOf(type, parts.get('value') ?? '');
}

/** `( literal, ... )`. */
function readList(tokens: Tokens): readonly string[] {
  const values: string[] = [];
  let more = tokens.take('(');
  if (!more) throw new StixFault('IN needs a list of strings in parentheses');
  while (more) {
    values.push(readText(tokens));
    if (values.length > TERM_LIMIT) throw new StixFault(TOO_MANY);
    more = tokens.take(',');
  }
  if (!tokens.take(')')) throw new StixFault('IN needs a list of strings in parentheses');
  return values;
}

function readText(tokens: Tokens): string {
  const literal = tokens.next();
  if (!literal.startsWith("'")) throw new StixFault('a comparison needs a string in single quotes');
  const value = literal.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
  if (value.length > VALUE_LENGTH_LIMIT) {
    throw new StixFault(`a value has at most ${VALUE_LENGTH_LIMIT} characters`);
  }
  return value;
}

/** An address with a prefix length is a range, even if it is compared by `=`. */
function termOf(type: IndicatorType, value: string): PatternTerm {
  return isAddress(type) && value.includes('/') ? { type: 'CIDR', value } : { type, value };
}

function isAddress(type: IndicatorType): boolean {
  return type === 'IPV4' || type === 'IPV6';
}

/** The tokens of a pattern in order. The empty token marks the end. */
interface Tokens {
  next(): string;
  /** Consumes the next token if it equals this one, in any case. Returns whether it did. */
  take(token: string): boolean;
}

/** Reads one token at a time, since a pattern is often refused at its beginning. */
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
