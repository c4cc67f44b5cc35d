// The risk score: a logistic model over the evidence, for every type of indicator. Each receipt contains the weights
// and the features.
//
// The weights were set by hand. No public data set of labelled addresses and hashes is good enough for training. One
// sensor that reports an identity request gives about 0.14, a failed login 0.11, a coil write 0.63, a stopped
// controller 0.82. The verdicts of analysts can train the same features later, under a new version.
//
// Every weight except the bias is positive. The risk therefore never falls when the intent, the severity, the quality
// of the evidence, the groups of sources or the sensor-days rise. The clock has no influence, and the result is
// rounded, so an event without new information does not change it.

import { INTENTS } from '../../domain/indicator/indicator.ts';
import { numberOf, SEVERITIES } from '../../domain/vocabulary.ts';
import type { Enricher, Signal } from '../enricher.ts';

const MODEL = 'evidence-logistic';
const VERSION = '1';

/** Log-odds per feature. Every feature is between 0 and 1. */
const WEIGHTS = {
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

type Features = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** Sensor-days that give half of the weight, as in the confidence score. */
const HALF_SENSOR_DAYS = 8;
const DEEPEST_INTENT = INTENTS.length - 1;
const HIGHEST_SEVERITY = SEVERITIES.length - 1;
const ROUNDING = 1_000;

export const evidenceRisk: Enricher = {
  name: 'evidence-risk',
  appliesTo: () => true,
  enrich: (signal) => {
    const features = featuresOf(signal);
    return {
      risk: { model: MODEL, version: VERSION, score: logistic(features), features, weights: WEIGHTS },
    };
  },
};

function featuresOf({ record, receipt }: Signal): Features {
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

function logistic(features: Features): number {
  let logOdds = 0;
  for (const name of Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[])
    logOdds += WEIGHTS[name] * features[name];
  return Math.round(ROUNDING / (1 + Math.exp(-logOdds))) / ROUNDING;
}
