// The features of the risk model: what the evidence says, and how the name of a host looks. Every feature is between 0 and
// 1 but `lexical`, which is between -0.5 and 0.5.

import { INTENTS, type IndicatorRecord } from '../../domain/indicator/indicator.ts';
import type { ScoreReceipt } from '../../domain/score/score-receipt.ts';
import { numberOf, SEVERITIES } from '../../domain/vocabulary.ts';

/** Log-odds per feature, set by hand. */
export const HAND_SET_WEIGHTS = {
  /** The risk without any evidence: 1 in 90. */
  bias: -4.5,
  /** How far the activity reached into control systems. */
  intent: 1.5,
  /** The highest severity: the strongest single feature. */
  severity: 3.5,
  /** The quality of the best evidence. */
  quality: 1.5,
  /** The number of independent groups of sources. */
  groups: 1.2,
  /** Persistence. */
  sensorDays: 0.8,
} as const;

export type EvidenceFeature = keyof typeof HAND_SET_WEIGHTS;
export type EvidenceWeights = Readonly<Record<EvidenceFeature, number>>;

export const EVIDENCE_FEATURES = Object.keys(HAND_SET_WEIGHTS) as readonly EvidenceFeature[];

/** The log-odds between a host that certainly looks good and one that certainly looks bad. Set by hand. */
export const LEXICAL_WEIGHT = 2;

/** Sensor-days that give half of the weight, as in the confidence score. */
const HALF_SENSOR_DAYS = 8;
const DEEPEST_INTENT = INTENTS.length - 1;
const HIGHEST_SEVERITY = SEVERITIES.length - 1;

export function evidenceFeatures(record: IndicatorRecord, receipt: ScoreReceipt): EvidenceWeights {
  let quality = 0;
  for (const source of record.evidence.sources) quality = Math.max(quality, source.quality);
  return {
    bias: 1,
    intent: INTENTS.indexOf(record.evidence.lead.intent) / DEEPEST_INTENT,
    severity: numberOf(SEVERITIES, record.indicator.severity) / HIGHEST_SEVERITY,
    quality,
    // The first group is the report itself. Each further group halves the remaining doubt.
    groups: 1 - 2 ** (1 - receipt.groups.length),
    sensorDays: 1 - 2 ** (-receipt.corroboration.sensorDays / HALF_SENSOR_DAYS),
  };
}

export function evidenceLogOdds(features: EvidenceWeights, weights: EvidenceWeights): number {
  let sum = 0;
  for (const name of EVIDENCE_FEATURES) sum += weights[name] * features[name];
  return sum;
}
