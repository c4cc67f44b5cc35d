// Merges observations of one value into its record.
//
// The result does not depend on the order of the observations, except for createdAt, updatedAt, history and the limits
// below. Every field is a maximum, a minimum, a union or a sum, and the values themselves decide ties. Batches, retries
// and replays may therefore arrive in any order. The caller removes duplicate events.
//
// Every event rewrites the record, so the record has to stay small. But no reporter may be refused because of what
// others reported before. The record therefore keeps the first tags, labels (shares.ts) and source names
// (source-limits.ts) up to their limits. Beyond a limit, an observation counts without them. A kept entry is never
// removed.

import { behaviourRule } from '../evidence/behaviour-rules.ts';
import { type Highlight, withHighlights } from '../evidence/highlights.ts';
import { dayOf, type Instant } from '../instant.ts';
import { isHostile } from '../score/hostile.ts';
import { compareText, locate, withItems } from '../sorted-list.ts';
import {
  higherOf,
  inVocabularyOrder,
  numberOf,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
} from '../vocabulary.ts';
import { compareLabels, isComputedLabel, withComputedLabels } from './computed-labels.ts';
import {
  type Evidence,
  INTENTS,
  type Indicator,
  type IndicatorRecord,
  type Label,
  type LeadObservation,
  type SourceEvidence,
  type ThreatSource,
} from './indicator.ts';
import { nextVersionAt, PIPELINE } from './lifecycle.ts';
import type { Observation } from './sensor-event.ts';
import { type Reported, withinShare } from './shares.ts';
import { withSighting } from './sightings.ts';
import { withinSourceLimits } from './source-limits.ts';

export const TAG_LIMIT = 100;
/** Labels from observations. The computed labels are additional. */
export const LABEL_LIMIT = 100;
/** More sensor-days would not change the score. */
export const SENSOR_DAY_LIMIT = 128;
/** Beyond it, the most dangerous behaviours are kept. */
export const BEHAVIOUR_LIMIT = 64;

const NO_HIGHLIGHTS: readonly Highlight[] = [];

export interface MergeContext {
  /** Used only when the indicator is created. */
  readonly id: string;
  readonly now: Instant;
  /** Used only when the indicator is created. */
  readonly createdAt: Instant;
}

/**
 * Adds an observation to a record, or makes a new RAW record. An existing record keeps its state, receipt and
 * enrichment; the pipeline renews them later. The observation must have the type and value of the record.
 */
export function mergeObservation(
  record: IndicatorRecord | undefined,
  reported: Observation,
  context: MergeContext,
): IndicatorRecord {
  const observation = withinSourceLimits(record?.evidence.sources ?? [], reported);
  const base = record ?? emptyRecord(observation, context);
  const { indicator: before, evidence: known } = base;
  const lead = leading(known.lead, leadOf(observation));
  const tags = mergeTags(base, observation);
  const labels = mergeLabels(base, observation);

  const highlights = withHighlights(
    known.highlights ?? NO_HIGHLIGHTS,
    observation.seen,
    observation.source.reliability,
    observation.observedAt,
  );

  const indicator: Indicator = {
    ...before,
    categories: mergeCategories(before.categories, observation.categories),
    severity: higherOf(SEVERITIES, before.severity, observation.severity),
    tlp: higherOf(TLP_MARKINGS, before.tlp, observation.tlp),
    firstSeen: Math.min(before.firstSeen, observation.observedAt),
    lastSeen: Math.max(before.lastSeen, observation.observedAt),
    sources: mergeSources(before.sources, known.sources, observation),
    sightings: withSighting(
      before.sightings,
      observation.source.id,
      observation.observedAt,
      observation.count,
    ),
    tags: tags.items,
    labels: withComputedLabels(labels.items, { ...base, evidence: { ...known, lead } }),
    protocol: lead.protocol,
    sensorType: lead.sensorType,
    updatedAt: record === undefined ? before.updatedAt : nextVersionAt(before.updatedAt, context.now),
  };
  const evidence: Evidence = {
    sources: mergeEvidence(known.sources, observation),
    sensorDays: mergeSensorDays(known.sensorDays, observation),
    behaviours: mergeBehaviours(known.behaviours, observation.behaviours),
    lead,
    ...(highlights.length === 0 ? {} : { highlights }),
    ...(tags.groups.length === 0 ? {} : { tagGroups: tags.groups }),
    ...(labels.groups.length === 0 ? {} : { labelGroups: labels.groups }),
  };
  return { ...base, indicator, evidence };
}

/** A record without observations, so that the first one is merged by the same rules as the others. */
function emptyRecord(observation: Observation, { id, now, createdAt }: MergeContext): IndicatorRecord {
  return {
    indicator: {
      id,
      type: observation.type,
      value: observation.value,
      categories: [],
      severity: 'UNSPECIFIED',
      confidenceScore: 0,
      tlp: 'UNSPECIFIED',
      state: 'RAW',
      firstSeen: observation.observedAt,
      lastSeen: observation.observedAt,
      sources: [],
      sightings: [],
      tags: [],
      labels: [],
      createdAt,
      updatedAt: Math.max(now, createdAt),
      protocol: 'UNSPECIFIED',
      sensorType: 'UNSPECIFIED',
    },
    evidence: { sources: [], sensorDays: [], behaviours: [], lead: leadOf(observation) },
    history: [{ from: 'UNSPECIFIED', to: 'RAW', at: Math.max(now, createdAt), actor: PIPELINE }],
  };
}

function mergeCategories(
  known: Indicator['categories'],
  seen: Observation['categories'],
): Indicator['categories'] {
  return seen.every((category) => known.includes(category))
    ? known
    : inVocabularyOrder(THREAT_CATEGORIES, [...known, ...seen]);
}

function compareEvidence(a: Pick<SourceEvidence, 'sourceId' | 'group'>, b: typeof a): number {
  return compareText(a.sourceId, b.sourceId) || compareText(a.group, b.group);
}

/**
 * Merged by source and group. Two groups of the same source stay separate. Otherwise a credential could move the evidence
 * of others into its own group, or its own into theirs.
 */
function mergeEvidence(
  known: readonly SourceEvidence[],
  observation: Observation,
): readonly SourceEvidence[] {
  const { source, group, credential = group, quality, observedAt, categories } = observation;
  const seen: SourceEvidence = {
    sourceId: source.id,
    group,
    ...(credential === group ? {} : { credential }),
    reliability: source.reliability,
    quality,
    ...(categories.some(isHostile) ? { hostile: true } : {}),
    lastObservedAt: observedAt,
  };
  const place = locate(known, seen, compareEvidence);
  const other = known[place];
  if (other === undefined) return known.toSpliced(-1 - place, 0, seen);
  return known.with(place, {
    ...seen,
    ...(other.hostile === true ? { hostile: true } : {}),
    reliability: Math.max(other.reliability, seen.reliability),
    quality: Math.max(other.quality, seen.quality),
    lastObservedAt: Math.max(other.lastObservedAt, seen.lastObservedAt),
  });
}

function byFirstReport(a: ThreatSource, b: ThreatSource): number {
  return a.reportedAt - b.reportedAt || compareText(a.id, b.id);
}

/** Takes the highest reliability, the time of the first report and the latest name. */
function mergeSources(
  known: readonly ThreatSource[],
  evidence: readonly SourceEvidence[],
  { source, observedAt }: Observation,
): readonly ThreatSource[] {
  const place = known.findIndex(({ id }) => id === source.id);
  const other = known[place];
  if (other === undefined) {
    const { id, name, reliability } = source;
    return withItems(known, [{ id, name, reliability, reportedAt: observedAt }], byFirstReport);
  }

  const merged: ThreatSource = {
    id: source.id,
    name: latestName(other, evidence, source.name, observedAt),
    reliability: Math.max(other.reliability, source.reliability),
    reportedAt: Math.min(other.reportedAt, observedAt),
  };
  return merged.reportedAt === other.reportedAt
    ? known.with(place, merged)
    : withItems(known.toSpliced(place, 1), [merged], byFirstReport);
}

/** Of two names from the same instant, the one that sorts first. */
function latestName(
  other: ThreatSource,
  evidence: readonly SourceEvidence[],
  name: string,
  observedAt: Instant,
): string {
  if (other.name === name) return name;
  let namedAt = Number.NEGATIVE_INFINITY;
  for (const { sourceId, lastObservedAt } of evidence) {
    if (sourceId === other.id) namedAt = Math.max(namedAt, lastObservedAt);
  }
  if (namedAt !== observedAt) return namedAt > observedAt ? other.name : name;
  return compareText(other.name, name) <= 0 ? other.name : name;
}

function mergeSensorDays(known: readonly string[], { sensorId, observedAt }: Observation): readonly string[] {
  if (sensorId === '') return known;
  const days = withItems(known, [`${sensorId}/${dayOf(observedAt)}`], compareText);
  return days.length > SENSOR_DAY_LIMIT ? days.slice(0, SENSOR_DAY_LIMIT) : days;
}

function mergeBehaviours(known: readonly string[], seen: readonly string[]): readonly string[] {
  const behaviours = withItems(known, seen, compareText);
  if (behaviours.length <= BEHAVIOUR_LIMIT) return behaviours;
  return behaviours.toSorted(mostDangerousFirst).slice(0, BEHAVIOUR_LIMIT).sort(compareText);
}

function mostDangerousFirst(a: string, b: string): number {
  return dangerOf(b) - dangerOf(a) || compareText(a, b);
}

/** Orders by intent, then by severity. */
function dangerOf(code: string): number {
  const rule = behaviourRule(code);
  if (rule === undefined) return 0;
  return INTENTS.indexOf(rule.intent) * SEVERITIES.length + numberOf(SEVERITIES, rule.severity);
}

function leadOf({
  intent,
  severity,
  observedAt,
  source,
  protocol,
  sensorType,
}: Observation): LeadObservation {
  return { intent, severity, observedAt, sourceId: source.id, protocol, sensorType };
}

/** The highest intent, then severity, then the latest time, then the smallest source id. The rest only breaks ties. */
function leading(a: LeadObservation, b: LeadObservation): LeadObservation {
  const order =
    INTENTS.indexOf(b.intent) - INTENTS.indexOf(a.intent) ||
    numberOf(SEVERITIES, b.severity) - numberOf(SEVERITIES, a.severity) ||
    b.observedAt - a.observedAt ||
    compareText(a.sourceId, b.sourceId) ||
    numberOf(PROTOCOLS, b.protocol) - numberOf(PROTOCOLS, a.protocol) ||
    numberOf(SENSOR_TYPES, b.sensorType) - numberOf(SENSOR_TYPES, a.sensorType);
  return order > 0 ? b : a;
}

function mergeTags(
  { indicator, evidence }: IndicatorRecord,
  { tags, group, credential = group }: Observation,
): Reported<string> {
  const known = { items: indicator.tags, groups: groupsOf(indicator.tags, evidence.tagGroups) };
  return withinShare(known, tags, credential, compareText, TAG_LIMIT);
}

function mergeLabels(
  { indicator, evidence }: IndicatorRecord,
  { labels, group, credential = group }: Observation,
): Reported<Label> {
  const given = indicator.labels.filter(isGiven);
  const known = { items: given, groups: groupsOf(given, evidence.labelGroups) };
  return withinShare(known, labels.filter(isGiven), credential, compareLabels, LABEL_LIMIT);
}

/** Nobody is known to have reported an item of a record without groups. */
function groupsOf(items: readonly unknown[], groups: readonly string[] | undefined): readonly string[] {
  return groups ?? items.map(() => '');
}

function isGiven(label: Label): boolean {
  return !isComputedLabel(label);
}
