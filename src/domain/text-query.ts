// The free-text part of a search, and the one tokeniser that summaries and terms share.

import { refang } from './observable/defang.ts';

/** One term: it matches as a substring of the value or a tag, or when all its words are words of the summary. */
export interface TextTerm {
  /** Lower case, refanged, white space folded; never empty. */
  readonly text: string;
  /** The term tokenised like a summary; may be empty. */
  readonly words: readonly string[];
}

/** A term shorter than this many characters matches by prefix only. */
export const SUBSTRING_LENGTH = 3;

/** Letters and digits in runs, lower case, in order of appearance. */
export function tokenize(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** White space separates terms, `"a quoted phrase"` is one term; an unclosed quote runs to the end. */
export function parseTextQuery(query: string): TextTerm[] {
  const terms: TextTerm[] = [];
  for (const match of query.matchAll(/"([^"]*)(?:"|$)|([^\s"]+)/gu)) {
    const text = refang((match[1] ?? match[2] ?? '').replace(/\s+/gu, ' ').trim()).toLowerCase();
    if (text !== '') terms.push({ text, words: tokenize(text) });
  }
  return terms;
}
