// The lexical model: how a host name looks, as the probability that it is bad. Weights have 16 bits, so that the model takes
// 512 kB. With 8 bits it was measurably worse: a name has some 150 features, and most weights are small.

import type { Calibration } from './discrimination.ts';
import { lexicalFeatures } from './lexical-features.ts';
import { probabilityOf, type Weights } from './logistic.ts';

export interface LexicalModel {
  readonly bias: number;
  /** A weight is the number of a feature times this. */
  readonly unit: number;
  readonly weights: Int16Array;
  readonly calibration: Calibration;
}

const LARGEST = 2 ** 15 - 1;

export function quantised({ bias, features }: Weights, calibration: Calibration): LexicalModel {
  let largest = 0;
  for (const weight of features) largest = Math.max(largest, Math.abs(weight));
  const unit = largest / LARGEST || 1;
  return {
    bias,
    unit,
    weights: Int16Array.from(features, (weight) => Math.round(weight / unit)),
    calibration,
  };
}

/** Before calibration. */
export function rawScore({ bias, unit, weights }: LexicalModel, features: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < features.length; at++) sum += weights[features[at] as number] ?? 0;
  return bias + unit * sum;
}

/** The probability that a host is bad, if half of all hosts were. @param host in canonical form. */
export function lexicalProbability(model: LexicalModel, host: string): number {
  const { slope, intercept } = model.calibration;
  return probabilityOf(slope * rawScore(model, lexicalFeatures(host)) + intercept);
}
