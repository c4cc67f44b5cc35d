// The confidence score: how sure we are that an indicator is hostile, 0 to 100, with a receipt of every term.
//
//   probability of a source   p = reliability × quality × recency
//   groups of sources         P = 1 − ∏ (1 − p), each group at its strongest source
//   distinct sensor-days n    S = 1 − (1 − P) × (1 − a × (1 − 2^(−n/8)))
//   score                     100 × S × factor + adjustment (at most ±10), under the caps, rounded once, half up
//
// The factor is 1, unless a warning list halves what is said about infrastructure that many share.
//
// It depends on the record alone, never on the clock. Recency is counted up to the indicator's own lastSeen: with
// lastSeen fixed, one more source, sighting or later report never lowers the score; a newer report by a weak source does
// let old evidence of a strong one fade, as the passing of that time would have.

import type { Evidence, IndicatorRecord } from '../indicator/indicator.ts';
import { compareText } from '../sorted-list.ts';
import type { IndicatorType } from '../vocabulary.ts';
import { type Decay, decayOf, remaining, staleAfter } from './decay.ts';
import type { ReceiptAdjustment, ReceiptCap, ReceiptGroup, ScoreReceipt } from './score-receipt.ts';

/** A change of any rule or constant takes a new name: receipts say by which rules they were made. */
const CONFIDENCE_RULES = 'confidence-1';

/** Share of the remaining doubt that repeated sightings alone can remove. */
const SATURATION = 0.3;
/** Sensor-days after which half of that share is reached. */
const HALF_SATURATION = 8;
/** Far above what binary fractions lose, far below what anybody states: a half by hand is a half here (0.565 is 57). */
const HALF_UP = 0.5 + 1e-9;
/** Enrichment knows less about this sighting than those who saw it. */
const ADJUSTMENT_LIMIT = 10;

/** Nobody alone gets an indicator to where it is blocked without a look. */
const SINGLE_SOURCE: ReceiptCap = {
  rule: 'single-source',
  limit: 89,
  because: 'all evidence comes from one independent group of sources',
};
/** Different programs share one JA3: in public code a single value is named ten different things. */
const LONE_JA3: ReceiptCap = {
  rule: 'lone-ja3',
  limit: 50,
  because: 'a JA3 fingerprint is shared by many programs and only one group of sources reports this one',
};
const OWN_CAPS: ReadonlySet<string> = new Set([SINGLE_SOURCE.rule, LONE_JA3.rule]);

/**
 * Scores what a record knows.
 * @param adjustments of the enrichers, in the order they ran; their sum is bounded.
 * @param imposed upper bounds found elsewhere, such as in a warning list; they go before every adjustment.
 */
export function scoreIndicator(
  { indicator, evidence }: IndicatorRecord,
  adjustments: readonly ReceiptAdjustment[] = [],
  imposed: readonly ReceiptCap[] = [],
): ScoreReceipt {
  const { type, categories, lastSeen } = indicator;
  const decay = decayOf(type, categories);
  const groups = strongestOfGroups(evidence.sources, lastSeen, decay);
  const terms = {
    rules: CONFIDENCE_RULES,
    type,
    categories,
    lastSeen,
    groups,
    combined: combine(groups),
    sensorDays: evidence.sensorDays.length,
    adjustments,
    caps: [...ownCaps(type, groups.length), ...imposed],
  };
  const saturated = saturate(terms.combined, terms.sensorDays);
  const adjustment = bounded(adjustments);
  const score = conclude(saturated, adjustment, terms.caps);
  const receipt = { ...terms, saturated, adjustment, score };
  return decay === undefined
    ? receipt
    : { ...receipt, decay, validUntil: staleAfter(score, lastSeen, decay) };
}

/** The score by the terms of a receipt alone: what anybody can check who holds one. */
export function recompute(receipt: ScoreReceipt): number {
  const groups = receipt.groups.map((group) => ({
    ...group,
    probability: group.reliability * group.quality * group.recency,
  }));
  const saturated = saturate(combine(groups), receipt.sensorDays);
  return conclude(saturated, bounded(receipt.adjustments), receipt.caps);
}

/** The caps of a receipt that came from outside the rules. */
export function imposedCaps(receipt: ScoreReceipt): readonly ReceiptCap[] {
  return receipt.caps.filter(({ rule }) => !OWN_CAPS.has(rule));
}

/** Sorted by group, so that the product below runs in the same order everywhere and is equal to the last bit. */
function strongestOfGroups(
  sources: Evidence['sources'],
  lastSeen: number,
  decay: Decay | undefined,
): readonly ReceiptGroup[] {
  const groups = new Map<string, ReceiptGroup>();
  for (const { group, sourceId, reliability, quality, lastObservedAt } of sources) {
    const recency = decay === undefined ? 1 : remaining(lastSeen - lastObservedAt, decay);
    const probability = reliability * quality * recency;
    const strongest = groups.get(group);
    // Sources come sorted by id: of two equals the first one stays.
    if (strongest !== undefined && strongest.probability >= probability) continue;
    groups.set(group, { group, sourceId, reliability, quality, lastObservedAt, recency, probability });
  }
  const found = [...groups.values()];
  return found.length > 1 ? found.sort((a, b) => compareText(a.group, b.group)) : found;
}

/** Noisy-or. */
function combine(groups: readonly ReceiptGroup[]): number {
  let doubt = 1;
  for (const { probability } of groups) doubt *= 1 - probability;
  return 1 - doubt;
}

/** Sightings strengthen what somebody trusted reported; they can not make something out of nothing. */
function saturate(combined: number, sensorDays: number): number {
  if (combined === 0) return 0;
  return 1 - (1 - combined) * (1 - SATURATION * (1 - 2 ** (-sensorDays / HALF_SATURATION)));
}

function ownCaps(type: IndicatorType, groups: number): readonly ReceiptCap[] {
  if (groups > 1) return [];
  return type === 'JA3' ? [SINGLE_SOURCE, LONE_JA3] : [SINGLE_SOURCE];
}

function bounded(adjustments: readonly ReceiptAdjustment[]): number {
  let sum = 0;
  for (const { points } of adjustments) sum += points;
  return Math.max(-ADJUSTMENT_LIMIT, Math.min(ADJUSTMENT_LIMIT, sum));
}

/** The caps come last: nothing lifts a score above them. Lists overlap, so factors do not multiply: the smallest counts. */
function conclude(saturated: number, adjustment: number, caps: readonly ReceiptCap[]): number {
  let share = 1;
  for (const { factor = 1 } of caps) share = Math.min(share, factor);
  let score = 100 * saturated * share + adjustment;
  for (const { limit } of caps) score = Math.min(score, limit);
  return Math.floor(Math.max(0, Math.min(100, score)) + HALF_UP);
}
