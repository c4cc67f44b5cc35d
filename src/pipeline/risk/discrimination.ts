// How well scores tell bad from good, and the scale on which they are probabilities.

import { probabilityOf } from './logistic.ts';

/** The share of pairs of a bad and a good one in which the bad one has the higher score; ties count half. 0.5 is chance. */
export function areaUnderCurve(bad: readonly number[], good: readonly number[]): number {
  const scores = [
    ...bad.map((score) => ({ score, isBad: true })),
    ...good.map((score) => ({ score, isBad: false })),
  ].sort((one, other) => one.score - other.score);
  let ranks = 0;
  for (let start = 0; start < scores.length; ) {
    let end = start;
    while (end < scores.length && scores[end]?.score === scores[start]?.score) end++;
    const rank = (start + 1 + end) / 2;
    for (let at = start; at < end; at++) if (scores[at]?.isBad === true) ranks += rank;
    start = end;
  }
  return (ranks - (bad.length * (bad.length + 1)) / 2) / (bad.length * good.length);
}

/** The share of the bad that score above all but `falseAlarms` of the good. */
export function foundAt(falseAlarms: number, bad: readonly number[], good: readonly number[]): number {
  const limit = good.toSorted((one, other) => other - one)[Math.floor(falseAlarms * good.length)] ?? Infinity;
  return bad.filter((score) => score > limit).length / bad.length;
}

export interface Calibration {
  readonly slope: number;
  readonly intercept: number;
}

const STEPS = 50;

/**
 * Platt scaling: probability = 1 / (1 + exp(−(slope × score + intercept))), fitted by Newton's method. Both sides count the
 * same in all, so the probability is that of a name of which nothing else is known but that half of such names are bad.
 */
export function calibrate(bad: readonly number[], good: readonly number[]): Calibration {
  const examples = [
    ...bad.map((score) => ({ score, target: 1, weight: 0.5 / bad.length })),
    ...good.map((score) => ({ score, target: 0, weight: 0.5 / good.length })),
  ];
  let slope = 1;
  let intercept = 0;
  for (let step = 0; step < STEPS; step++) {
    let [a, b, aa, ab, bb] = [0, 0, 1e-9, 0, 1e-9];
    for (const { score, target, weight } of examples) {
      const probability = probabilityOf(slope * score + intercept);
      const error = weight * (probability - target);
      const curve = weight * probability * (1 - probability);
      a += error * score;
      b += error;
      aa += curve * score * score;
      ab += curve * score;
      bb += curve;
    }
    const determinant = aa * bb - ab * ab;
    if (Math.abs(determinant) < 1e-18) break;
    slope -= (bb * a - ab * b) / determinant;
    intercept -= (aa * b - ab * a) / determinant;
  }
  // Scores that separate perfectly have no finite scale.
  return Number.isFinite(slope) && slope > 0 ? { slope, intercept } : { slope: 1, intercept: 0 };
}

/** Probabilities of one tenth of the scale, beside what was true. */
export interface CalibrationBin {
  readonly from: number;
  readonly count: number;
  readonly meanProbability: number;
  readonly shareBad: number;
}

/** Bad and good count the same in all, as in `calibrate`. Empty tenths are left out. */
export function calibrationBins(bad: readonly number[], good: readonly number[]): readonly CalibrationBin[] {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, weight: 0, probability: 0, bad: 0 }));
  const add = (probability: number, isBad: boolean, weight: number) => {
    const bin = bins[Math.min(9, Math.floor(10 * probability))];
    if (bin === undefined) return;
    bin.count++;
    bin.weight += weight;
    bin.probability += weight * probability;
    if (isBad) bin.bad += weight;
  };
  for (const probability of bad) add(probability, true, 1 / bad.length);
  for (const probability of good) add(probability, false, 1 / good.length);
  return bins.flatMap(({ count, weight, probability, bad: badWeight }, index) =>
    count === 0
      ? []
      : [{ from: index / 10, count, meanProbability: probability / weight, shareBad: badWeight / weight }],
  );
}
