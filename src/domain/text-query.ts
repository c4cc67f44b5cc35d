// The free-text part of a search, and the tokeniser that summaries and terms share.

import { parseAddress, parseCidr } from './observable/address.ts';
import { SCHEME_AND_HOST } from './observable/canonical-url.ts';
import { refang } from './observable/defang.ts';
import { recognise } from './observable/observable.ts';

/**
 * What a term matches:
 * - `whole`: it reads as an observable. It matches a value in which it occurs as a whole (observable/whole-part.ts), or a
 *   tag that is equal to it.
 * - `contiguous`: another term with one of `. : / @ -`. It matches a part of the value or of a tag, and whole words of the
 *   summary, in one piece.
 * - `plain`: it matches a part of the value or of a tag, or the summary if that contains all its words.
 */
export type TermKind = 'whole' | 'contiguous' | 'plain';

export interface TextTerm {
  readonly kind: TermKind;
  /** Lower case, refanged, white space folded; never empty. Canonical if it reads as an observable. */
  readonly text: string;
  /** The text tokenised like a summary; may be empty. */
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
    const text = refang((match[1] ?? match[2] ?? '').replace(/\s+/gu, ' ').trim());
    if (text !== '') terms.push(readTerm(text));
  }
  return terms;
}

const JOINED = /[.:/@-]/;

function readTerm(given: string): TextTerm {
  const text = given.toLowerCase();
  const whole = text.length < SUBSTRING_LENGTH ? undefined : readWhole(given)?.toLowerCase();
  if (whole !== undefined) return { kind: 'whole', text: whole, words: tokenize(whole) };
  return { kind: JOINED.test(text) ? 'contiguous' : 'plain', text, words: tokenize(text) };
}

/** The canonical observable; undefined if the text is none. */
function readWhole(text: string): string | undefined {
  const reading = recognise(text, { acceptPrivateAddresses: true });
  if (!reading.ok) {
    // A host with a port occurs as a whole in URLs. An address that is never an indicator is an address all the same.
    const isWhole =
      reading.reason === 'ADDRESS_WITH_PORT' ||
      parseAddress(text) !== undefined ||
      parseCidr(text) !== undefined;
    return isWhole ? text : undefined;
  }
  const { type, value } = reading;
  // Nothing was said of the scheme.
  return type === 'URL' && !SCHEME_AND_HOST.test(text) ? value.slice(value.indexOf('://')) : value;
}
