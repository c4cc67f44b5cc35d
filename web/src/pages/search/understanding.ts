// What the text in the search box is taken for.

import { findValues } from './find-values.ts';

export type Understanding =
  | { readonly kind: 'all' }
  /** One value: indicators in which it occurs as a whole. */
  | { readonly kind: 'value'; readonly value: string }
  /** Many values, or a value among the words of a log: each is looked up. */
  | { readonly kind: 'values'; readonly values: readonly string[] }
  /** Words that must all match. */
  | { readonly kind: 'text'; readonly values: readonly string[] };

/** So many words around a value are an excerpt of a log, and no search for words. */
const EXCERPT_WORDS = 5;

/** @param asText the person wants a search for the words, whatever they look like. */
export function understand(text: string, asText = false): Understanding {
  const words = text.trim().split(/\s+/);
  if (words[0] === '') return { kind: 'all' };
  const values = findValues(text);
  if (asText) return { kind: 'text', values };
  const [value] = values;
  if (value === undefined) return { kind: 'text', values };
  if (values.length > 1) return { kind: 'values', values };
  if (words.length === 1 && value.length >= (words[0] ?? '').replace(/[[\](){}<>"',;]/g, '').length - 4)
    return { kind: 'value', value };
  if (words.length >= EXCERPT_WORDS || text.includes('\n')) return { kind: 'values', values };
  return { kind: 'text', values };
}
