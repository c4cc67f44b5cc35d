// The text of an indicator in which a search looks for terms, and its tokens.
//
// The text is stored in the row, its tokens are not: they are computed again when the text changes. So if this file gives
// other tokens than before, the index of an existing store has to be built anew (docs/decisions/0035).

import type { Indicator } from '../../../domain/indicator/indicator.ts';
import { searchedSummary, searchedTexts } from '../../../domain/indicator/matching.ts';
import { isName, namesIn, occursWhole } from '../../../domain/observable/whole-part.ts';
import { SUBSTRING_LENGTH } from '../../../domain/text-query.ts';
import { token } from './search-tokens.ts';

/** As stored. */
export interface SearchedText {
  /** The value and the tags in lower case, a line each. */
  readonly haystack: string;
  /** The summary in lower case, spaced out (`spacedOut`), so that a search for ` word ` finds whole words only. */
  readonly words: string;
}

export function searchedText(indicator: Indicator): SearchedText {
  return {
    haystack: searchedTexts(indicator).map(inOneLine).join('\n'),
    words: spacedOut(searchedSummary(indicator)),
  };
}

/**
 * A text with a blank on both sides of each word, besides its own characters. Only a single blank between two words stays
 * single. Whole words that follow each other in the text follow each other in the same way here: `bot-net` is ` bot - net `.
 */
export function spacedOut(text: string): string {
  return text.replace(WORD_RUNS, ' $& ').replace(BETWEEN_WORDS, ' ');
}

const WORD_RUNS = /[\p{L}\p{N}]+/gu;
/** What a single blank between two words has become. */
const BETWEEN_WORDS = /(?<=[\p{L}\p{N}]) {3}(?=[\p{L}\p{N}])/gu;

/** No term holds a line break, so a tag with one is found by the parts around it. */
function inOneLine(text: string): string {
  return text.replaceAll('\n', '\r');
}

/** Every run of three bytes, once. Bytes are enough: UTF-8 text contains another text exactly where its bytes do. */
export function trigrams(text: string): string[] {
  const found = new Set<string>();
  addTrigrams(text, found);
  return [...found];
}

function addTrigrams(text: string, into: Set<string>): void {
  const hex = Buffer.from(text, 'utf8').toString('hex');
  for (let start = 0; start + 6 <= hex.length; start += 2)
    into.add(token.trigram(hex.slice(start, start + 6)));
}

/** The trigrams of value and tags, and the names in the value. */
export function substringTokens(haystack: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  const [value = '', ...tags] = haystack.split('\n');
  for (const text of [value, ...tags]) addTrigrams(text, tokens);
  for (const name of [...namesIn(value), ...tags.filter(isName)]) tokens.add(token.name(name));
  return tokens;
}

/** Whether an observable occurs in the value as a whole, or is a tag. */
export function holdsWhole(haystack: string, whole: string): boolean {
  const [value = '', ...tags] = haystack.split('\n');
  return occursWhole(value, whole) || tags.includes(whole);
}

/** The words of the summary, and the prefixes of words, value and tags. */
export function wordTokens({ haystack, words }: SearchedText): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const text of haystack.split('\n')) addPrefixes(text, tokens);
  if (words === '') return tokens;
  for (const text of words.match(WORD_RUNS) ?? []) {
    const word = wordOf(text);
    tokens.add(word.token);
    for (const prefix of word.prefixes) tokens.add(prefix.token);
  }
  return tokens;
}

/**
 * The tokens that `wordTokens` gives for `one` and not for `other`, whose value and tags are the same. A new summary differs
 * in a few words, so only the part that differs is taken apart.
 */
export function tokensOnlyIn({ haystack, words }: SearchedText, other: SearchedText): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const run of differingPart(words, other.words).match(WORD_RUNS) ?? []) {
    // All words and prefixes follow a blank. No token of a word is that of another text.
    if (other.words.includes(` ${run} `)) continue;
    const word = wordOf(run);
    tokens.add(word.token);
    for (const { text, token } of word.prefixes) {
      const isInBoth =
        other.words.includes(` ${text}`) || haystack.startsWith(text) || haystack.includes(`\n${text}`);
      if (!isInBoth) tokens.add(token);
    }
  }
  return tokens;
}

/** Whole words of `one`, among them all that are not in `other`. */
function differingPart(one: string, other: string): string {
  if (one === other) return '';
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one.charCodeAt(start) === other.charCodeAt(start)) start++;
  let same = 0;
  while (
    same < shorter - start &&
    one.charCodeAt(one.length - 1 - same) === other.charCodeAt(other.length - 1 - same)
  ) {
    same++;
  }
  // A word may begin before the difference, or go on behind it.
  const end = one.indexOf(' ', one.length - same);
  return one.slice(Math.max(0, one.lastIndexOf(' ', start - 1)), end === -1 ? one.length : end + 1);
}

function addPrefixes(text: string, into: Set<string>): void {
  for (const prefix of prefixesOf(text)) into.add(token.prefix(prefix));
}

function prefixesOf(text: string): string[] {
  const prefixes: string[] = [];
  const characters = [...text.slice(0, 2 * SUBSTRING_LENGTH)];
  for (let length = 1; length < SUBSTRING_LENGTH && length <= characters.length; length++) {
    prefixes.push(characters.slice(0, length).join(''));
  }
  return prefixes;
}

interface Word {
  readonly token: string;
  readonly prefixes: readonly { readonly text: string; readonly token: string }[];
}

/** A cache: summaries use few different words. */
const knownWords = new Map<string, Word>();
const KNOWN_WORDS_LIMIT = 20_000;

function wordOf(text: string): Word {
  const known = knownWords.get(text);
  if (known !== undefined) return known;
  const prefixes = prefixesOf(text).map((prefix) => ({ text: prefix, token: token.prefix(prefix) }));
  const word = { token: token.word(text), prefixes };
  if (knownWords.size >= KNOWN_WORDS_LIMIT) knownWords.clear();
  knownWords.set(text, word);
  return word;
}
