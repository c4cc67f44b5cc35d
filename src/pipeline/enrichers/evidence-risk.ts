// The risk model for every type: a logistic model over what was observed. Its weights are published here and stand in
// each receipt, together with the features they were applied to.
//
// The weights were set by hand, not trained: no public set of labelled addresses and hashes would make training honest.
// They put an identity request of one sensor at about 0.14, a failed login at 0.11, a coil write at 0.63, a stopped
// controller at 0.82. Once analysts' verdicts are there, the same features can be fitted and the version raised.
//
// Every weight but the bias is positive and every feature rises with its quantity, so the risk never falls when the
// intent, the severity, the quality of the evidence, the groups of sources or the sensor-days rise. Nothing in it moves
// with the clock, and the result is rounded: an event that adds nothing new does not change it.

import { INTENTS } from '../../domain/indicator/indicator.ts';
import { numberOf, SEVERITIES } from '../../domain/vocabulary.ts';
import type { Enricher, Signal } from '../enricher.ts';

const MODEL = 'evidence-logistic';
const VERSION = '1';

/** Log-odds per feature; all features lie between 0 and 1. */
const WEIGHTS = {
  /** A report of nothing in particular is hardly a risk: 1 in 90. */
  bias: -4.5,
  /** How deep it reached into control systems. */
  intent: 1.5,
  /** How bad the worst of it was; the strongest single sign. */
  severity: 3.5,
  /** How well the best evidence proves it. */
  quality: 1.5,
  /** How many independent groups agree. */
  groups: 1.2,
  /** How persistent it was. */
  sensorDays: 0.8,
} as const;

type Features = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** Sensor-days after which half of the full weight is reached, as in the confidence score. */
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
    // The first group is the report itself; each further one halves what doubt was left.
    groups: 1 - 2 ** (1 - receipt.groups.length),
    sensorDays: 1 - 2 ** (-receipt.sensorDays / HALF_SENSOR_DAYS),
  };
}

function logistic(features: Features): number {
  let logOdds = 0;
  for (const name of Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[])
    logOdds += WEIGHTS[name] * features[name];
  return Math.round(ROUNDING / (1 + Math.exp(-logOdds))) / ROUNDING;
}
