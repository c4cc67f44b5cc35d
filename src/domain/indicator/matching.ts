// Evaluates a search on one indicator. Declared collections use it. Stores answer the same search from indexes and are
// tested against this.

import { coveringTechniqueIds, currentTechniqueId } from '../evidence/technique-id.ts';
import type { IndicatorFilter, TimeWindow } from '../filter.ts';
import type { Instant } from '../instant.ts';
import { occursWhole } from '../observable/whole-part.ts';
import { VERDICT_LABEL } from '../score/verdict.ts';
import { isPrefixTerm, type TextTerm, tokenize } from '../text-query.ts';
import { CONTROL_INTENTS, type ControlIntent, numberOf, SEVERITIES, VERDICTS } from '../vocabulary.ts';
import { standingOf } from './computed-labels.ts';
import type { Indicator } from './indicator.ts';
import { reporterOf } from './source-name.ts';

/**
 * True if every member that is set matches. Inside a list one match is enough, and an empty list matches everything.
 */
export function matches(indicator: Indicator, filter: IndicatorFilter): boolean {
  const { enrichment } = indicator;
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
    (filter.labels.length === 0 || holdsAny(filter.labels, searchedLabels(indicator))) &&
    (filter.intents.length === 0 || holdsAny(filter.intents, intentsOf(indicator))) &&
    (filter.verdicts.length === 0 ||
      holdsAny(filter.verdicts, namedIn(indicator, VERDICT_LABEL, VERDICTS))) &&
    (filter.countryCodes.length === 0 || holdsOne(filter.countryCodes, enrichment?.geo?.countryCode)) &&
    (filter.asns.length === 0 || holdsOne(filter.asns, enrichment?.asn?.number)) &&
    (filter.attackTechniques.length === 0 ||
      holdsAny(filter.attackTechniques.map(currentTechniqueId), searchedTechniques(indicator))) &&
    (filter.malwareFamilies.length === 0 ||
      holdsAny(
        filter.malwareFamilies.map((name) => name.toLowerCase()),
        searchedFamilies(indicator),
      )) &&
    (filter.includeWithdrawn || standingOf(indicator) === 'IN_FORCE') &&
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

/** The texts by which labels are found: the key, and the key with the value. */
export function searchedLabels({ labels }: Indicator): string[] {
  return labels.flatMap(({ key, value }) => [key, `${key}=${value}`]);
}

/** The intents that the labels name; UNSPECIFIED without any. */
export function intentsOf(indicator: Indicator): readonly ControlIntent[] {
  return namedIn(indicator, 'intent', CONTROL_INTENTS);
}

/** @param names UNSPECIFIED first. */
function namedIn<Name extends string>(
  { labels }: Indicator,
  wanted: string,
  names: readonly Name[],
): readonly Name[] {
  const named = names
    .slice(1)
    .filter((name) => labels.some(({ key, value }) => key === wanted && value === name.toLowerCase()));
  return named.length === 0 ? names.slice(0, 1) : named;
}

/** The ids of release 19 by which the techniques are found. An id can occur twice. */
export function searchedTechniques({ enrichment }: Indicator): string[] {
  return (enrichment?.attackTechniques ?? []).flatMap(coveringTechniqueIds);
}

/** In lower case. */
export function searchedFamilies({ enrichment }: Indicator): string[] {
  return (enrichment?.malwareFamilies ?? []).map((name) => name.toLowerCase());
}

/** The summary in lower case. */
export function searchedSummary({ enrichment }: Indicator): string {
  return (enrichment?.aiSummary ?? '').toLowerCase();
}

/** At the instant of validUntil itself the indicator is stale already. */
function isStale(indicator: Indicator, at: Instant): boolean {
  return indicator.validUntil !== undefined && indicator.validUntil <= at;
}

function holdsOne<Value>(wanted: readonly Value[], value: Value | undefined): boolean {
  return wanted.length === 0 || (value !== undefined && wanted.includes(value));
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
