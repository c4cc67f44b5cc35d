// The steps from the probabilities of the source groups to the score, as anybody can compute them from the receipt.

import type { ScoreReceipt } from '../../api/contract.ts';
import { INDICATOR } from '../../text/indicator.ts';

export interface Step {
  readonly key: string;
  readonly label: string;
  /** Points so far, 0 to 100. */
  readonly points: number;
  /** How the points come about. */
  readonly formula: string;
  /** A bound of the score, drawn as a mark. */
  readonly limit?: number;
  readonly kind: 'group' | 'sum' | 'bound' | 'score';
}

function two(value: number): string {
  return value.toFixed(2);
}

/** Empty while there is no score. */
export function stepsOf(receipt: ScoreReceipt): readonly Step[] {
  const { groups, combined, adjustment = 0, adjustments, caps, score } = receipt;
  if (combined === undefined || score === undefined) return [];
  const steps: Step[] = groups.map(
    ({ group, sourceName, sourceId, reliability, certainty, recency, probability }) => ({
      key: `group ${group}`,
      label: sourceName === '' ? sourceId : sourceName,
      points: 100 * probability,
      formula: `${two(reliability)} × ${two(certainty)} × ${two(recency)} = ${two(probability)}`,
      kind: 'group',
    }),
  );
  let points = 100 * combined;
  steps.push({
    key: 'combined',
    label: INDICATOR.steps.combined(groups.length),
    points,
    formula: two(combined),
    kind: 'sum',
  });
  const factor = Math.min(1, ...caps.map((cap) => cap.factor ?? 1));
  if (factor < 1) {
    const before = points;
    points *= factor;
    steps.push({
      key: 'factor',
      label: INDICATOR.steps.factor,
      points,
      formula: `${before.toFixed(1)} × ${factor} = ${points.toFixed(1)}`,
      kind: 'sum',
    });
  }
  if (adjustments.length > 0) {
    points = Math.max(0, Math.min(100, points + adjustment));
    steps.push({
      key: 'adjustment',
      label: INDICATOR.steps.adjustment,
      points,
      formula: `${adjustment >= 0 ? '+' : '−'}${Math.abs(adjustment)}: ${adjustments.map(({ because }) => because).join('; ')}`,
      kind: 'sum',
    });
  }
  for (const { rule, limit, because } of caps) {
    points = Math.min(points, limit);
    steps.push({
      key: `cap ${rule} ${limit} ${because}`,
      label: INDICATOR.steps.cap(rule),
      points,
      limit,
      formula: `at most ${limit}: ${because}`,
      kind: 'bound',
    });
  }
  steps.push({
    key: 'score',
    label: INDICATOR.steps.score,
    points: score,
    formula: String(score),
    kind: 'score',
  });
  return steps;
}
