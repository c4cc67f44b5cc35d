// Training of the lexical model, and its measurement on sources that it has not seen.
//
// A random split would flatter: feeds repeat the same campaigns in many near copies. So each bad source is scored once by
// a model that was trained without it and without any name of a registered part that it has. A fifth of the good names, by
// registered part, is kept from all training. Each good source is left out once as well.

import { hash } from 'node:crypto';
import {
  areaUnderCurve,
  type CalibrationBin,
  calibrate,
  calibrationBins,
  foundAt,
} from './discrimination.ts';
import { type LabelledSource, LEAST_TO_MEASURE, registeredName } from './labelled-sources.ts';
import { FEATURE_COUNT, lexicalFeatures } from './lexical-features.ts';
import { type LexicalModel, quantised, rawScore } from './lexical-model.ts';
import { type Example, probabilityOf, trainLogistic } from './logistic.ts';

/** A source counts for this many names at most, so that a large one does not outvote the others. */
const LARGEST_SHARE = 4_000;
const FALSE_ALARMS = 0.01;

/** A source that a model has not seen. */
export interface UnseenSource {
  readonly name: string;
  readonly isBad: boolean;
  readonly names: number;
  readonly auc: number;
  /** The share that scores above 99 of 100 good names. Of a good source nothing is found. */
  readonly found?: number;
}

export interface LexicalReport {
  readonly unseen: readonly UnseenSource[];
  /** Over all bad sources, each weighted by its names. */
  readonly auc: number;
  /** The mean of the good sources. Absent with one good source. */
  readonly aucUnseenGood?: number;
  readonly bins: readonly CalibrationBin[];
}

/** @param onStep is told of each model that is trained. */
export function trainLexical(
  sources: readonly LabelledSource[],
  onStep: (done: number, all: number) => void = () => undefined,
): { readonly model: LexicalModel; readonly report: LexicalReport } {
  const features = createFeatureCache();
  const bad = sources.filter(({ isBad }) => isBad);
  const good = sources.filter(({ isBad }) => !isBad);
  const measured = [...bad, ...good].filter(({ hosts }) => hosts.length >= LEAST_TO_MEASURE);
  const goods = measured.filter(({ isBad }) => !isBad).length;
  const folds = measured.filter(({ isBad }) => isBad || goods > 1);
  const keptBack = good.flatMap(({ hosts }) => hosts.filter(isKeptBack));
  const unseen: UnseenSource[] = [];
  const badScores: number[] = [];
  const goodScores: number[] = [];
  for (const [index, left] of folds.entries()) {
    const model = trainWithout(left, bad, good, features);
    const scores = left.hosts.map((host) => rawScore(model, features(host)));
    const others = left.isBad ? keptBack : bad.flatMap(({ hosts }) => hosts.filter(isKeptBack));
    const otherScores = others.map((host) => rawScore(model, features(host)));
    const { name, isBad, hosts } = left;
    if (isBad) {
      const auc = areaUnderCurve(scores, otherScores);
      unseen.push({
        name,
        isBad,
        names: hosts.length,
        auc,
        found: foundAt(FALSE_ALARMS, scores, otherScores),
      });
      for (const score of scores) badScores.push(score);
      for (const score of otherScores) goodScores.push(score);
    } else {
      unseen.push({ name, isBad, names: hosts.length, auc: areaUnderCurve(otherScores, scores) });
    }
    onStep(index + 1, folds.length + 1);
  }
  const calibration = calibrate(badScores, goodScores);
  const model = { ...trainWithout(undefined, bad, good, features), calibration };
  onStep(folds.length + 1, folds.length + 1);
  const probability = (score: number) => probabilityOf(calibration.slope * score + calibration.intercept);
  const unseenGood = unseen.filter(({ isBad }) => !isBad);
  return {
    model,
    report: {
      unseen,
      auc: mean(
        unseen.filter(({ isBad }) => isBad),
        ({ names }) => names,
      ),
      ...(unseenGood.length === 0 ? {} : { aucUnseenGood: mean(unseenGood, () => 1) }),
      bins: calibrationBins(badScores.map(probability), goodScores.map(probability)),
    },
  };
}

/** A fifth of all names, the same in every training. Names with one registered part stay together. */
function isKeptBack(host: string): boolean {
  return Number.parseInt(hash('sha256', registeredName(host), 'hex').slice(0, 8), 16) % 5 === 0;
}

/** Without a source, names that are kept back are left out on the other side. */
function trainWithout(
  left: LabelledSource | undefined,
  bad: readonly LabelledSource[],
  good: readonly LabelledSource[],
  features: (host: string) => Int32Array,
): LexicalModel {
  const known = new Set(left?.hosts.map(registeredName));
  const namesOf = (sources: readonly LabelledSource[], keepBack: boolean) => {
    const taken = new Set<string>();
    return sources.flatMap((source) => {
      if (source === left) return [];
      const hosts = source.hosts.filter(
        (host) => !taken.has(host) && !known.has(registeredName(host)) && !(keepBack && isKeptBack(host)),
      );
      for (const host of hosts) taken.add(host);
      const weight = Math.min(1, LARGEST_SHARE / hosts.length);
      return hosts.map((host) => ({ host, weight }));
    });
  };
  const badNames = namesOf(bad, left?.isBad === false);
  const goodNames = namesOf(good, left?.isBad === true);
  const balance = sumOf(badNames) / Math.max(1e-9, sumOf(goodNames));
  const examples: Example[] = [
    ...badNames.map(({ host, weight }) => ({ features: features(host), isBad: true, weight })),
    ...goodNames.map(({ host, weight }) => ({
      features: features(host),
      isBad: false,
      weight: weight * balance,
    })),
  ];
  return quantised(trainLogistic(examples, FEATURE_COUNT), { slope: 1, intercept: 0 });
}

function sumOf(names: readonly { readonly weight: number }[]): number {
  return names.reduce((sum, { weight }) => sum + weight, 0);
}

function mean(sources: readonly UnseenSource[], weightOf: (source: UnseenSource) => number): number {
  const weights = sources.reduce((sum, source) => sum + weightOf(source), 0);
  return sources.reduce((sum, source) => sum + source.auc * weightOf(source), 0) / weights;
}

function createFeatureCache(): (host: string) => Int32Array {
  const known = new Map<string, Int32Array>();
  return (host) => {
    const features = known.get(host) ?? Int32Array.from(lexicalFeatures(host));
    known.set(host, features);
    return features;
  };
}
