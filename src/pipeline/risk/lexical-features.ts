// The features of a host name: hashed character n-grams of its parts, and its shape in coarse steps.
//
// The registered label and the labels below it have features of their own, since strangers choose the one and customers
// or machines the others. All features are present or absent.

import { parse } from 'tldts';

/** Features are numbers below this. */
export const FEATURE_COUNT = 2 ** 18;

const SHORTEST = 1;
const LONGEST = 4;
const BOTH_SECTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/** @param host in canonical form. @returns each feature once. */
export function lexicalFeatures(host: string): readonly number[] {
  const { publicSuffix, domainWithoutSuffix, subdomain, isPrivate } = parse(host, BOTH_SECTIONS);
  const name = domainWithoutSuffix ?? host;
  const below = subdomain ?? '';
  const features = new Set<number>();
  const add = (feature: string) => features.add(hashOf(feature));
  add(`suffix ${publicSuffix}`);
  add(`ending ${host.slice(host.lastIndexOf('.') + 1)}`);
  if (isPrivate === true) add('private suffix');
  addGrams(name, 'n', add);
  if (below !== '' && below !== 'www') addGrams(below, 'b', add);
  add(`labels ${Math.min(6, host.split('.').length)}`);
  addShape(name, 'n', add);
  addShape(below, 'b', add);
  return [...features];
}

function addGrams(text: string, part: string, add: (feature: string) => void): void {
  const bounded = `^${text}$`;
  for (let length = SHORTEST; length <= LONGEST; length++)
    for (let at = 0; at + length <= bounded.length; at++) add(`${part}${bounded.slice(at, at + length)}`);
}

function addShape(text: string, part: string, add: (feature: string) => void): void {
  const digits = text.replace(/[^0-9]/g, '').length;
  const letters = text.replace(/[^a-z]/g, '');
  const vowels = letters.replace(/[^aeiouy]/g, '').length;
  const length = text.length;
  add(`${part} length ${Math.min(length, 40)}`);
  add(`${part} lengths ${Math.min(Math.floor(length / 4), 12)}`);
  add(`${part} digits ${Math.min(digits, 6)}`);
  add(`${part} digit share ${length === 0 ? 0 : Math.floor((6 * digits) / length)}`);
  add(`${part} hyphens ${Math.min(4, text.split('-').length - 1)}`);
  add(`${part} vowel share ${letters.length === 0 ? 0 : Math.floor((10 * vowels) / letters.length)}`);
  add(`${part} consonants ${Math.min(8, longest(text, /[bcdfghjklmnpqrstvwxz]+/g))}`);
  add(`${part} digit run ${Math.min(6, longest(text, /[0-9]+/g))}`);
  add(`${part} entropy ${Math.round(4 * entropy(text))}`);
}

function longest(text: string, pattern: RegExp): number {
  return Math.max(0, ...(text.match(pattern) ?? []).map((run) => run.length));
}

/** Bits for each character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return (Math.imul(hash, 0x2c1b3c6d) >>> 0) % FEATURE_COUNT;
}
