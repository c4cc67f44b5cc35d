// The confidence score, 0 to 100: how sure we are that an indicator is what its categories say. A receipt lists every
// term.
//
//   certainty of a source     C = 1 − (1 − quality) × doubt, where repetition leaves that doubt (corroboration.ts)
//   probability of a source   p = reliability × C × recency
//   groups of sources         P = 1 − ∏ (1 − p), with the strongest source of each group
//   score                     100 × P × factor + adjustment (at most ±10), limited by the caps, rounded once, half up
//
// The factor is 1, or 0.5 if a warning list lists the indicator as shared infrastructure. C never exceeds UNPROVEN for
// evidence that proves nothing.
//
// The score depends on the record alone, never on the clock. Recency is measured up to the indicator's lastSeen. While
// lastSeen is unchanged, another source or sighting never lowers the score. A newer report moves lastSeen, so older
// evidence of other sources fades. A source never counts for more than its reliability, however often it repeats itself.

import { UNPROVEN } from '../evidence/quality.ts';
import type { Evidence, IndicatorRecord, SourceEvidence } from '../indicator/indicator.ts';
import { compareText } from '../sorted-list.ts';
import type { IndicatorType } from '../vocabulary.ts';
import { corroborationOf, doubtAfter } from './corroboration.ts';
import { type Lifetime, lifetimeOf, validUntilOf } from './lifetime.ts';
import { type Decay, decayOf, remaining } from './recency.ts';
import type { ReceiptAdjustment, ReceiptCap, ReceiptGroup, ScoreReceipt } from './score-receipt.ts';

/** Named in every receipt. A change of a rule or constant needs a new name. */
const CONFIDENCE_RULES = 'confidence-2';

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
/** The rule of the bound for evidence that proves nothing. */
export const UNPROVEN_RULE = 'unproven';
/** Nobody may be blocked because of packets that anybody can forge, or of names that anybody can type. */
const ONLY_UNPROVEN: ReceiptCap = {
  rule: UNPROVEN_RULE,
  limit: 40,
  because: 'no evidence proves that the indicator itself acted',
};
/** Different programs share one JA3. Public lists give a single value ten different names. */
const LONE_JA3: ReceiptCap = {
  rule: 'lone-ja3',
  limit: 50,
  because: 'a JA3 fingerprint is shared by many programs and only one group of sources reports this one',
};
/** The word of a person outweighs every report. */
const DISPUTED: ReceiptCap = {
  rule: 'disputed',
  limit: 0,
  because: 'a person disputed the indicator: it is not what its categories say',
};
const OWN_CAPS: ReadonlySet<string> = new Set([
  SINGLE_SOURCE.rule,
  ONLY_UNPROVEN.rule,
  LONE_JA3.rule,
  DISPUTED.rule,
]);

/**
 * Scores a record.
 * @param adjustments of the enrichers, in their order. The sum is bounded.
 * @param imposed further caps, such as those of warning lists. No adjustment lifts the score above a cap.
 */
export function scoreIndicator(
  record: IndicatorRecord,
  adjustments: readonly ReceiptAdjustment[] = [],
  imposed: readonly ReceiptCap[] = [],
): ScoreReceipt {
  const { indicator, evidence, disputedAt } = record;
  const { type, categories, lastSeen } = indicator;
  const decay = decayOf(type, categories);
  const corroboration = corroborationOf(record);
  const groups = strongestOfGroups(record, corroboration.doubt, decay);
  const combined = combine(groups);
  const adjustment = bounded(adjustments);
  const caps = [
    ...(disputedAt === undefined ? [] : [DISPUTED]),
    ...ownCaps(type, evidence.sources, groups.length),
    ...imposed,
  ];
  const score = conclude(combined, adjustment, caps);
  const lifetime = lifetimeOf({
    type,
    categories,
    sensorDays: corroboration.sensorDays,
    score,
    share: shareOf(caps),
  });
  return {
    rules: CONFIDENCE_RULES,
    type,
    categories,
    lastSeen,
    corroboration,
    groups,
    combined,
    adjustments,
    adjustment,
    caps,
    score,
    ...(decay === undefined ? undefined : { decay }),
    ...endOf(record, lifetime),
  };
}

/** The score that some of the sources would have without the others. */
export function scoreFrom(
  record: IndicatorRecord,
  terms: Pick<ScoreReceipt, 'score' | 'corroboration' | 'adjustment' | 'caps'>,
  counts: (source: SourceEvidence) => boolean,
): number {
  const { indicator, evidence } = record;
  const sources = evidence.sources.filter(counts);
  if (sources.length === evidence.sources.length) return terms.score;
  const decay = decayOf(indicator.type, indicator.categories);
  const part = { ...record, evidence: { ...evidence, sources } };
  const groups = strongestOfGroups(part, terms.corroboration.doubt, decay);
  return conclude(combine(groups), terms.adjustment, terms.caps);
}

/** A disputed indicator is valid until it was disputed, whatever its type. STIX wants the end behind the beginning. */
function endOf(
  { indicator, disputedAt }: IndicatorRecord,
  lifetime: Lifetime | undefined,
): Pick<ScoreReceipt, 'lifetime' | 'validUntil'> {
  if (disputedAt !== undefined) return { validUntil: Math.max(disputedAt, indicator.firstSeen + 1) };
  return lifetime === undefined ? {} : { lifetime, validUntil: validUntilOf(indicator.lastSeen, lifetime) };
}

/** Computes the score from a receipt alone, so that anybody can check it. */
export function recompute(receipt: ScoreReceipt): number {
  const doubt = doubtAfter(receipt.corroboration);
  const groups = receipt.groups.map(({ reliability, quality, recency }) => ({
    probability: reliability * certaintyOf(quality, doubt) * recency,
  }));
  return conclude(combine(groups), bounded(receipt.adjustments), receipt.caps);
}

/** The caps of a receipt that are not from the rules above. */
export function imposedCaps(receipt: ScoreReceipt): readonly ReceiptCap[] {
  return receipt.caps.filter(({ rule }) => !OWN_CAPS.has(rule));
}

/** Repetition removes doubt. Evidence that proves nothing proves nothing more the second time. */
function certaintyOf(quality: number, doubt: number): number {
  const certainty = 1 - (1 - quality) * doubt;
  return quality <= UNPROVEN ? Math.min(UNPROVEN, certainty) : certainty;
}

/** Sorted by group, so that the product is computed in the same order on every node and equal to the last bit. */
function strongestOfGroups(
  { indicator, evidence }: IndicatorRecord,
  doubt: number,
  decay: Decay | undefined,
): readonly ReceiptGroup[] {
  const names = new Map(indicator.sources.map(({ id, name }) => [id, name]));
  const groups = new Map<string, ReceiptGroup>();
  for (const { group, sourceId, reliability, quality, lastObservedAt } of evidence.sources) {
    const recency = decay === undefined ? 1 : remaining(indicator.lastSeen - lastObservedAt, decay);
    const certainty = certaintyOf(quality, doubt);
    const probability = reliability * certainty * recency;
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
      certainty,
      lastObservedAt,
      recency,
      probability,
    });
  }
  const found = [...groups.values()];
  return found.length > 1 ? found.sort((a, b) => compareText(a.group, b.group)) : found;
}

/** Noisy-or. */
function combine(groups: readonly Pick<ReceiptGroup, 'probability'>[]): number {
  let doubt = 1;
  for (const { probability } of groups) doubt *= 1 - probability;
  return 1 - doubt;
}

function ownCaps(type: IndicatorType, sources: Evidence['sources'], groups: number): readonly ReceiptCap[] {
  const caps: ReceiptCap[] = [];
  if (groups === 1) caps.push(SINGLE_SOURCE);
  if (groups === 1 && type === 'JA3') caps.push(LONE_JA3);
  if (sources.every(({ quality }) => quality <= UNPROVEN)) caps.push(ONLY_UNPROVEN);
  return caps;
}

function bounded(adjustments: readonly ReceiptAdjustment[]): number {
  let sum = 0;
  for (const { points } of adjustments) sum += points;
  return Math.max(-ADJUSTMENT_LIMIT, Math.min(ADJUSTMENT_LIMIT, sum));
}

/** Warning lists overlap, so their factors are not multiplied; the smallest one counts. */
function shareOf(caps: readonly ReceiptCap[]): number {
  let share = 1;
  for (const { factor = 1 } of caps) share = Math.min(share, factor);
  return share;
}

/** Caps are applied last. */
function conclude(combined: number, adjustment: number, caps: readonly ReceiptCap[]): number {
  let score = 100 * combined * shareOf(caps) + adjustment;
  for (const { limit } of caps) score = Math.min(score, limit);
  return Math.floor(Math.max(0, Math.min(100, score)) + HALF_UP);
}
