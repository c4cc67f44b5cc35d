// Evaluates a search on one indicator. Declared collections use it. Stores answer the same search from indexes and are
// tested against this.

import type { IndicatorFilter, TimeWindow } from '../filter.ts';
import type { Instant } from '../instant.ts';
import { occursWhole } from '../observable/whole-part.ts';
import { isPrefixTerm, type TextTerm, tokenize } from '../text-query.ts';
import { numberOf, SEVERITIES } from '../vocabulary.ts';
import type { Indicator } from './indicator.ts';
import { reporterOf } from './source-name.ts';

/**
 * True if every member that is set matches. Inside a list one match is enough, and an empty list matches everything.
 */
export function matches(indicator: Indicator, filter: IndicatorFilter): boolean {
  return (
    holdsOne(filter.types, indicator.type) &&
    holdsOne(filter.states, indicator.state) &&
    holdsOne(filter.protocols, indicator.protocol) &&
    holdsOne(filter.sensorTypes, indicator.sensorType) &&
    // UNSPECIFIED matches an indicator without categories.
    holdsAny(filter.categories, indicator.categories.length === 0 ? ['UNSPECIFIED'] : indicator.categories) &&
    holdsAny(filter.tags, indicator.tags) &&
    (filter.sourceIds.length === 0 || holdsAny(filter.sourceIds, searchedSources(indicator))) &&
    numberOf(SEVERITIES, indicator.severity) >= numberOf(SEVERITIES, filter.minSeverity) &&
    indicator.confidenceScore >= filter.minConfidenceScore &&
    within(filter.lastSeenWindow, indicator.lastSeen) &&
    within(filter.createdWindow, indicator.createdAt) &&
    (filter.validAt === undefined || !isStale(indicator, filter.validAt))
  );
}

/** True if every term matches the value, a tag or the summary. */
export function matchesText(indicator: Indicator, terms: readonly TextTerm[]): boolean {
  if (terms.length === 0) return true;
  const texts = searchedTexts(indicator);
  const [value = '', ...tags] = texts;
  const summary = searchedSummary(indicator);
  const words = new Set(tokenize(summary));
  return terms.every((term) => {
    if (isPrefixTerm(term)) {
      return [...texts, ...words].some((text) => text.startsWith(term.text));
    }
    if (term.kind === 'whole') return occursWhole(value, term.text) || tags.includes(term.text);
    if (texts.some((text) => text.includes(term.text))) return true;
    if (term.words.length === 0) return false;
    if (term.kind === 'contiguous') return hasWholeWords(summary, term.text);
    return term.words.every((word) => words.has(word));
  });
}

const WORD = /[\p{L}\p{N}]/u;

/** Whether a text occurs in the summary in one piece, and neither begins nor ends inside a word. */
function hasWholeWords(summary: string, text: string): boolean {
  for (let at = summary.indexOf(text); at >= 0; at = summary.indexOf(text, at + 1)) {
    const [first = '', last = ''] = [[...text][0], [...text].at(-1)];
    const before = [...summary.slice(0, at)].at(-1) ?? '';
    const behind = [...summary.slice(at + text.length)][0] ?? '';
    if (!(WORD.test(first) && WORD.test(before)) && !(WORD.test(last) && WORD.test(behind))) return true;
  }
  return false;
}

/** The value and the tags in lower case: a term is looked for inside each of them. None holds a line break. */
export function searchedTexts({ value, tags }: Indicator): string[] {
  return [value, ...tags].map((text) => text.toLowerCase());
}

/** The ids by which a source is found: its own and that of its reporter. An id can occur twice. */
export function searchedSources({ sources }: Indicator): string[] {
  return sources.flatMap(({ id }) => [id, reporterOf(id)]);
}

/** The summary in lower case. */
export function searchedSummary({ enrichment }: Indicator): string {
  return (enrichment?.aiSummary ?? '').toLowerCase();
}

/** At the instant of validUntil itself the indicator is stale already. */
function isStale(indicator: Indicator, at: Instant): boolean {
  return indicator.validUntil !== undefined && indicator.validUntil <= at;
}

function holdsOne<Value>(wanted: readonly Value[], value: Value): boolean {
  return wanted.length === 0 || wanted.includes(value);
}

function holdsAny<Value>(wanted: readonly Value[], values: readonly Value[]): boolean {
  return wanted.length === 0 || values.some((value) => wanted.includes(value));
}

/** Half-open: `start` is inside, `end` is outside. */
function within(window: TimeWindow, instant: Instant): boolean {
  return (
    (window.start === undefined || window.start <= instant) &&
    (window.end === undefined || instant < window.end)
  );
}
