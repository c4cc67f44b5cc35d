// Evaluates a search on one indicator. Declared collections use it. Stores answer the same search from indexes and are
// tested against this.

import type { IndicatorFilter, TimeWindow } from '../filter.ts';
import type { Instant } from '../instant.ts';
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
  const words = searchedWords(indicator);
  return terms.every((term) => {
    if (isPrefixTerm(term)) {
      return [...texts, ...words].some((text) => text.startsWith(term.text));
    }
    if (texts.some((text) => text.includes(term.text))) return true;
    return term.words.length > 0 && term.words.every((word) => words.has(word));
  });
}

/** The value and the tags in lower case: a term is looked for inside each of them. None holds a line break. */
export function searchedTexts({ value, tags }: Indicator): string[] {
  return [value, ...tags].map((text) => text.toLowerCase());
}

/** The ids by which a source is found: its own and that of its reporter. An id can occur twice. */
export function searchedSources({ sources }: Indicator): string[] {
  return sources.flatMap(({ id }) => [id, reporterOf(id)]);
}

/** The words of the summary, each once: a term matches if all its words are among them. */
export function searchedWords({ enrichment }: Indicator): ReadonlySet<string> {
  return new Set(tokenize(enrichment?.aiSummary ?? ''));
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
