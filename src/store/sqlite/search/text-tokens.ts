// The text of an indicator in which a search looks for terms, and its tokens.
//
// The text is stored in the row, its tokens are not: they are computed again when the text changes. So if this file gives
// other tokens than before, the index of an existing store has to be built anew (docs/decisions/0035).

import type { Indicator } from '../../../domain/indicator/indicator.ts';
import { searchedTexts, searchedWords } from '../../../domain/indicator/matching.ts';
import { SUBSTRING_LENGTH } from '../../../domain/text-query.ts';
import { token } from './search-tokens.ts';

/** As stored. */
export interface SearchedText {
  /** The value and the tags in lower case, a line each. */
  readonly haystack: string;
  /** The words of the summary. Each is between blanks, so that a search for ` word ` finds whole words only. */
  readonly words: string;
}

export function searchedText(indicator: Indicator): SearchedText {
  const words = searchedWords(indicator);
  return {
    haystack: searchedTexts(indicator).map(inOneLine).join('\n'),
    words: words.size === 0 ? '' : ` ${[...words].join(' ')} `,
  };
}

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

/** The trigrams of value and tags. */
export function substringTokens(haystack: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const text of haystack.split('\n')) addTrigrams(text, tokens);
  return tokens;
}

/** The words of the summary, and the prefixes of words, value and tags. */
export function wordTokens({ haystack, words }: SearchedText): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const text of haystack.split('\n')) addPrefixes(text, tokens);
  if (words === '') return tokens;
  for (const word of words.slice(1, -1).split(' ')) {
    for (const found of tokensOfWord(word)) tokens.add(found);
  }
  return tokens;
}

function addPrefixes(text: string, into: Set<string>): void {
  const characters = [...text.slice(0, 2 * SUBSTRING_LENGTH)];
  for (let length = 1; length < SUBSTRING_LENGTH && length <= characters.length; length++) {
    into.add(token.prefix(characters.slice(0, length).join('')));
  }
}

/** A cache: summaries use few different words. */
const knownWords = new Map<string, ReadonlySet<string>>();
const KNOWN_WORDS_LIMIT = 20_000;

function tokensOfWord(word: string): ReadonlySet<string> {
  const known = knownWords.get(word);
  if (known !== undefined) return known;
  const tokens = new Set([token.word(word)]);
  addPrefixes(word, tokens);
  if (knownWords.size >= KNOWN_WORDS_LIMIT) knownWords.clear();
  knownWords.set(word, tokens);
  return tokens;
}
