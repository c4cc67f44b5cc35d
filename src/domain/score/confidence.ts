// The confidence score, 0 to 100: how sure we are that an indicator is hostile. A receipt lists every term.
//
//   probability of a source   p = reliability × quality × recency
//   groups of sources         P = 1 − ∏ (1 − p), with the strongest source of each group
//   distinct sensor-days n    S = 1 − (1 − P) × (1 − a × (1 − 2^(−n/8)))
//   score                     100 × S × factor + adjustment (at most ±10), limited by the caps, rounded once, half up
//
// The factor is 1, or 0.5 if a warning list lists the indicator as shared infrastructure.
//
// The score depends on the record alone, never on the clock. Recency is measured up to the indicator's lastSeen. While
// lastSeen is unchanged, another source or sighting never lowers the score. A newer report moves lastSeen, so older
// evidence of other sources fades.

import type { Evidence, Indicator, IndicatorRecord } from '../indicator/indicator.ts';
import { compareText } from '../sorted-list.ts';
import type { IndicatorType } from '../vocabulary.ts';
import { type Decay, decayOf, remaining, staleAfter } from './decay.ts';
import type { ReceiptAdjustment, ReceiptCap, ReceiptGroup, ScoreReceipt } from './score-receipt.ts';

/** Named in every receipt. A change of a rule or constant needs a new name. */
const CONFIDENCE_RULES = 'confidence-1';

/** The share of the remaining doubt that repeated sightings can remove. */
const SATURATION = 0.3;
/** Sensor-days after which half of that share is reached. */
const HALF_SATURATION = 8;
/** Compensates for binary fractions, so that a half computed by hand rounds up here too (0.565 gives 57). */
const HALF_UP = 0.5 + 1e-9;
/** Enrichment knows less about an observation than the sensor that made it. */
const ADJUSTMENT_LIMIT = 10;

/** One source alone must not reach the scores at which indicators are blocked automatically. */
const SINGLE_SOURCE: ReceiptCap = {
  rule: 'single-source',
  limit: 89,
  because: 'all evidence comes from one independent group of sources',
};
/** Different programs share one JA3. Public lists give a single value ten different names. */
const LONE_JA3: ReceiptCap = {
  rule: 'lone-ja3',
  limit: 50,
  because: 'a JA3 fingerprint is shared by many programs and only one group of sources reports this one',
};
const OWN_CAPS: ReadonlySet<string> = new Set([SINGLE_SOURCE.rule, LONE_JA3.rule]);

/**
 * Scores a record.
 * @param adjustments of the enrichers, in their order. The sum is bounded.
 * @param imposed further caps, such as those of warning lists. No adjustment lifts the score above a cap.
 */
export function scoreIndicator(
  { indicator, evidence }: IndicatorRecord,
  adjustments: readonly ReceiptAdjustment[] = [],
  imposed: readonly ReceiptCap[] = [],
): ScoreReceipt {
  const { type, categories, lastSeen } = indicator;
  const decay = decayOf(type, categories);
  const groups = strongestOfGroups(evidence.sources, indicator.sources, lastSeen, decay);
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

/** Computes the score from a receipt alone, so that anybody can check it. */
export function recompute(receipt: ScoreReceipt): number {
  const groups = receipt.groups.map((group) => ({
    ...group,
    probability: group.reliability * group.quality * group.recency,
  }));
  const saturated = saturate(combine(groups), receipt.sensorDays);
  return conclude(saturated, bounded(receipt.adjustments), receipt.caps);
}

/** The caps of a receipt that are not from the rules above. */
export function imposedCaps(receipt: ScoreReceipt): readonly ReceiptCap[] {
  return receipt.caps.filter(({ rule }) => !OWN_CAPS.has(rule));
}

/** Sorted by group, so that the product is computed in the same order on every node and equal to the last bit. */
function strongestOfGroups(
  sources: Evidence['sources'],
  named: Indicator['sources'],
  lastSeen: number,
  decay: Decay | undefined,
): readonly ReceiptGroup[] {
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const groups = new Map<string, ReceiptGroup>();
  for (const { group, sourceId, reliability, quality, lastObservedAt } of sources) {
    const recency = decay === undefined ? 1 : remaining(lastSeen - lastObservedAt, decay);
    const probability = reliability * quality * recency;
    const strongest = groups.get(group);
    // Sources are sorted by id, so the first of two equal ones is kept.
    if (strongest !== undefined && strongest.probability >= probability) continue;
    const sourceName = names.get(sourceId) ?? sourceId;
    groups.set(group, {
      group,
      sourceId,
      sourceName,
      reliability,
      quality,
      lastObservedAt,
      recency,
      probability,
    });
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

/** Sightings strengthen existing evidence. Without any, the result stays 0. */
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

/** Caps are applied last. Warning lists overlap, so their factors are not multiplied; the smallest one counts. */
function conclude(saturated: number, adjustment: number, caps: readonly ReceiptCap[]): number {
  let share = 1;
  for (const { factor = 1 } of caps) share = Math.min(share, factor);
  let score = 100 * saturated * share + adjustment;
  for (const { limit } of caps) score = Math.min(score, limit);
  return Math.floor(Math.max(0, Math.min(100, score)) + HALF_UP);
}
