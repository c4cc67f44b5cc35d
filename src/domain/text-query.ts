// The free-text part of a search, and the tokeniser that summaries and terms share.

import { refang } from './observable/defang.ts';

/** A term matches if it is a substring of the value or of a tag, or if the summary contains all its words. */
export interface TextTerm {
  /** Lower case, refanged, white space folded; never empty. */
  readonly text: string;
  /** The term tokenised like a summary; may be empty. */
  readonly words: readonly string[];
}

/** A term with fewer characters matches prefixes only. */
export const SUBSTRING_LENGTH = 3;

/** Whether a term is so short that it matches only at the beginning of the value, a tag or a word of the summary. */
export function isPrefixTerm({ text }: TextTerm): boolean {
  return [...text].length < SUBSTRING_LENGTH;
}

/** Runs of letters and digits, in lower case and in order of appearance. */
export function tokenize(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** White space separates terms. `"a quoted phrase"` is one term, and an unclosed quote runs to the end. */
export function parseTextQuery(query: string): TextTerm[] {
  const terms: TextTerm[] = [];
  for (const match of query.matchAll(/"([^"]*)(?:"|$)|([^\s"]+)/gu)) {
    const text = refang((match[1] ?? match[2] ?? '').replace(/\s+/gu, ' ').trim()).toLowerCase();
    if (text !== '') terms.push({ text, words: tokenize(text) });
  }
  return terms;
}
