// Random indicators, filters and queries. Their alphabets are so small that many of them match.

import fc from 'fast-check';
import type { IndicatorFilter, TimeWindow } from '../../domain/filter.ts';
import type { Indicator } from '../../domain/indicator/indicator.ts';
import { DAY, HOUR, type Instant } from '../../domain/instant.ts';
import {
  CONTROL_INTENTS,
  INDICATOR_STATES,
  INDICATOR_TYPES,
  inVocabularyOrder,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
  VERDICTS,
} from '../../domain/vocabulary.ts';
import { aSummary, NOW } from './fixtures.ts';

/** Parts that values, tags, summaries and queries share. */
const PARTS = [
  'evil',
  'c2',
  'plc',
  's7',
  'a',
  'ev',
  'vil',
  'Example',
  'ÜBER',
  'ж',
  'жук',
  '世界',
  '😀',
  '192.0.2.',
  '0',
  '1.1.1.1',
  'c2.example',
  'http://',
  '%2f',
  ':80/',
  '2001:db8::1',
];
const SEPARATORS = ['', '', '.', '-', '/', '@', ' ', "'", '%'];
const TAGS = ['ics', 'ICS', 'water plant', 'c2', 'evil', 's7 plc', 'ж', 'AND', 't'.repeat(40)];
const SOURCES = ['sensor-1', 'sensor-1#feed', 'feed "3"', 'partner'];
const LABELS = [
  { key: 'false-positive', value: '2026-03-14T09:00:00.000Z' },
  { key: 'intent', value: 'control' },
  { key: 'intent', value: 'read' },
  { key: 'intent', value: 'unknown' },
  { key: 'verdict', value: 'scanner' },
  { key: 'verdict', value: 'benign' },
  { key: 'site', value: 'a=b' },
  { key: 'site=a', value: 'b' },
  { key: 'site', value: '' },
];
const TECHNIQUES = ['T0846', 'T0855', 'T1110', 'T1110.001', 'T1692.001'];
const FAMILIES = ['Mirai', 'mirai', 'Industroyer 2'];
const SYNTAX = [
  '*',
  '(',
  ')',
  ':',
  '^',
  '-',
  '+',
  'AND',
  'OR',
  'NOT',
  'NEAR(',
  '{',
  "'",
  '\\',
  '%',
  '_',
  '[.]',
];

/** Instants at and around the edges of days, months and years. */
const arbitraryInstant: fc.Arbitrary<Instant> = fc
  .tuple(
    fc.constantFrom(
      Date.UTC(1969, 11, 31),
      Date.UTC(2024, 1, 29),
      Date.UTC(2025, 11, 31),
      Date.UTC(2026, 0, 1),
      Date.UTC(2026, 2, 1),
      Date.UTC(2026, 2, 14),
      Date.UTC(2055, 0, 1),
    ),
    fc.constantFrom(-40 * DAY, -DAY, -1, 0, 0, 1, HOUR, DAY, 31 * DAY),
  )
  .map(([edge, distance]) => edge + distance);

/** A short sequence of parts, so that texts contain, overlap and narrowly miss each other. */
const arbitraryText: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom(...SEPARATORS)), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.flat().join('').trim());

const arbitraryScore = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 9, 10, 50, 90, 100));

/** The members of an indicator that a search uses, except `createdAt`, which the caller sets in order. */
export const arbitraryIndicator: fc.Arbitrary<Partial<Indicator>> = fc
  .record({
    type: fc.constantFrom(...INDICATOR_TYPES),
    value: arbitraryText,
    categories: fc
      .subarray([...THREAT_CATEGORIES.slice(1, 5)])
      .map((names) => inVocabularyOrder(THREAT_CATEGORIES, names)),
    severity: fc.constantFrom(...SEVERITIES),
    confidenceScore: arbitraryScore,
    tlp: fc.constantFrom(...TLP_MARKINGS),
    state: fc.constantFrom(...INDICATOR_STATES),
    tags: fc.subarray(TAGS, { maxLength: 4 }).map((tags) => tags.toSorted()),
    sources: fc
      .subarray(SOURCES)
      .map((ids) => ids.map((id) => ({ id, name: id, reliability: 0.7, reportedAt: NOW }))),
    lastSeen: arbitraryInstant,
    protocol: fc.constantFrom(...PROTOCOLS.slice(0, 5)),
    sensorType: fc.constantFrom(...SENSOR_TYPES),
    summary: fc.option(fc.array(arbitraryText, { maxLength: 4 }), { nil: undefined }),
    labels: fc.subarray(LABELS),
    context: fc.record(
      {
        geo: fc.constantFrom('', 'DE', 'US').map((countryCode) => ({ countryCode, city: '' })),
        asn: fc.constantFrom(0, 64_496, 4_294_967_295).map((number) => ({ number, organization: '' })),
        attackTechniques: fc.subarray(TECHNIQUES),
        malwareFamilies: fc.subarray(FAMILIES),
      },
      { requiredKeys: ['attackTechniques', 'malwareFamilies'] },
    ),
    validUntil: fc.option(arbitraryInstant, { nil: undefined }),
  })
  .map(({ summary, context, validUntil, ...members }) => ({
    ...members,
    ...(summary === undefined ? {} : { enrichment: { ...aSummary(summary.join(', ')), ...context } }),
    ...(validUntil === undefined ? {} : { validUntil }),
  }));

const arbitraryWindow: fc.Arbitrary<TimeWindow> = fc
  .tuple(fc.option(arbitraryInstant), fc.option(arbitraryInstant))
  .map(([start, end]) => ({ ...(start === null ? {} : { start }), ...(end === null ? {} : { end }) }));

const MEMBERS = {
  types: someOf(INDICATOR_TYPES),
  categories: someOf(THREAT_CATEGORIES),
  minSeverity: fc.constantFrom(...SEVERITIES),
  minConfidenceScore: arbitraryScore,
  states: someOf(INDICATOR_STATES),
  tags: someOf([...TAGS, 'nobody has this']),
  lastSeenWindow: arbitraryWindow,
  sourceIds: someOf([...SOURCES, 'nobody']),
  protocols: someOf(PROTOCOLS),
  sensorTypes: someOf(SENSOR_TYPES),
  createdWindow: arbitraryWindow,
  labels: someOf(['intent', 'intent=read', 'site=a=b', 'site=', 'site', 'site=a', 'nobody']),
  intents: someOf(CONTROL_INTENTS),
  verdicts: someOf(VERDICTS),
  countryCodes: someOf(['DE', 'US', 'FR']),
  asns: someOf([64_496, 4_294_967_295, 1]),
  attackTechniques: someOf([...TECHNIQUES, 'T1692', 'T1110.003', 'T9999']),
  malwareFamilies: someOf([...FAMILIES, 'MIRAI', 'nobody']),
  validAt: arbitraryInstant,
  includeWithdrawn: fc.boolean(),
};

/** Sets only a few members, so that many cases find something. */
export const arbitraryFilter: fc.Arbitrary<Partial<IndicatorFilter>> = fc
  .tuple(fc.record(MEMBERS), fc.subarray(Object.keys(MEMBERS), { maxLength: 4 }))
  .map(([members, set]) =>
    Object.fromEntries(Object.entries(members).filter(([member]) => set.includes(member))),
  );

/** Queries as users type them: terms and phrases, some defanged, in any case, mixed with the syntax of search engines. */
export const arbitraryQuery: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...PARTS, ...TAGS) },
      { weight: 2, arbitrary: arbitraryText },
      { weight: 2, arbitrary: arbitraryText.map((text) => `"${text}"`) },
      { weight: 1, arbitrary: fc.constantFrom(...SYNTAX, '"') },
      { weight: 1, arbitrary: arbitraryText.map((text) => text.toUpperCase().replaceAll('.', '[.]')) },
    ),
    { maxLength: 2 },
  )
  .map((terms) => terms.join(' '));

export const arbitraryCeiling = fc.constantFrom(...TLP_MARKINGS);

function someOf<Value>(values: readonly Value[]): fc.Arbitrary<Value[]> {
  return fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
}
