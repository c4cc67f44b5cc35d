// Training of the evidence model from the verdicts of analysts.
//
// The weights begin as they were set by hand and move only as far as the verdicts support: each weight has a normal prior
// around its hand-set value. A few verdicts change little. No weight but the bias may become negative, so that more
// evidence never lowers the risk.

import { areaUnderCurve } from './discrimination.ts';
import {
  EVIDENCE_FEATURES,
  type EvidenceWeights,
  evidenceLogOdds,
  HAND_SET_WEIGHTS,
} from './evidence-features.ts';
import { probabilityOf } from './logistic.ts';

/** A verdict on an indicator. */
export interface Verdict {
  readonly isBad: boolean;
  readonly features: EvidenceWeights;
  /** The strongest source of the indicator. */
  readonly sourceId: string;
}

export interface EvidenceReport {
  readonly confirmed: number;
  readonly refuted: number;
  /** By source that the model has not seen, of sources with verdicts of both kinds. */
  readonly unseen: readonly { readonly sourceId: string; readonly verdicts: number; readonly auc: number }[];
}

/** With fewer verdicts of a kind the hand-set weights stay. */
export const LEAST_VERDICTS = 10;
/** Variance of a weight around its hand-set value. */
const PRIOR_VARIANCE = 1;
const STEPS = 1_000;
const RATE = 0.5;

/** @returns no weights if there are too few verdicts. */
export function trainEvidence(verdicts: readonly Verdict[]): {
  readonly weights: EvidenceWeights | undefined;
  readonly report: EvidenceReport;
} {
  const confirmed = verdicts.filter(({ isBad }) => isBad).length;
  const refuted = verdicts.length - confirmed;
  if (confirmed < LEAST_VERDICTS || refuted < LEAST_VERDICTS)
    return { weights: undefined, report: { confirmed, refuted, unseen: [] } };
  return { weights: fit(verdicts), report: { confirmed, refuted, unseen: unseenSources(verdicts) } };
}

/** The most probable weights, by gradient descent. The function is convex, so the result depends on nothing else. */
function fit(verdicts: readonly Verdict[]): EvidenceWeights {
  const weights: Record<keyof EvidenceWeights, number> = { ...HAND_SET_WEIGHTS };
  for (let step = 0; step < STEPS; step++) {
    const gradient: Record<keyof EvidenceWeights, number> = { ...weights };
    for (const name of EVIDENCE_FEATURES)
      gradient[name] = (weights[name] - HAND_SET_WEIGHTS[name]) / PRIOR_VARIANCE;
    for (const { features, isBad } of verdicts) {
      const error = probabilityOf(evidenceLogOdds(features, weights)) - (isBad ? 1 : 0);
      for (const name of EVIDENCE_FEATURES) gradient[name] += error * features[name];
    }
    for (const name of EVIDENCE_FEATURES) {
      const moved = weights[name] - (RATE * gradient[name]) / (1 / PRIOR_VARIANCE + verdicts.length);
      weights[name] = name === 'bias' ? moved : Math.max(0, moved);
    }
  }
  return weights;
}

function unseenSources(verdicts: readonly Verdict[]): EvidenceReport['unseen'] {
  return [...new Set(verdicts.map(({ sourceId }) => sourceId))].sort().flatMap((sourceId) => {
    const own = verdicts.filter((verdict) => verdict.sourceId === sourceId);
    const others = verdicts.filter((verdict) => verdict.sourceId !== sourceId);
    const areBoth = (some: readonly Verdict[]) => new Set(some.map(({ isBad }) => isBad)).size === 2;
    if (!areBoth(own) || !areBoth(others)) return [];
    const weights = fit(others);
    const scores = (isBad: boolean) =>
      own
        .filter((verdict) => verdict.isBad === isBad)
        .map(({ features }) => evidenceLogOdds(features, weights));
    return [{ sourceId, verdicts: own.length, auc: areaUnderCurve(scores(true), scores(false)) }];
  });
}
