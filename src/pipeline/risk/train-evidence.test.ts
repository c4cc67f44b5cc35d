// The evidence model: what verdicts change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EVIDENCE_FEATURES, type EvidenceWeights, HAND_SET_WEIGHTS } from './evidence-features.ts';
import { trainEvidence, type Verdict } from './train-evidence.ts';

const ZERO: EvidenceWeights = { bias: 1, intent: 0, severity: 0, quality: 0, groups: 0, sensorDays: 0 };

function verdicts(
  count: number,
  isBad: boolean,
  changes: Partial<EvidenceWeights>,
  sourceId = 'a',
): Verdict[] {
  return Array.from({ length: count }, () => ({ isBad, features: { ...ZERO, ...changes }, sourceId }));
}

test('with few verdicts of a kind the weights stay', () => {
  const { weights, report } = trainEvidence([...verdicts(9, true, {}), ...verdicts(50, false, {})]);
  assert.deepEqual([weights, report], [undefined, { confirmed: 9, refuted: 50, unseen: [] }]);
});

test('weights move towards what analysts say, the further the more verdicts', () => {
  const said = (count: number) =>
    trainEvidence([...verdicts(count, true, { groups: 1 }), ...verdicts(count, false, { severity: 1 })])
      .weights ?? HAND_SET_WEIGHTS;
  const few = said(10);
  const many = said(60);
  assert.ok(few.groups > HAND_SET_WEIGHTS.groups && many.groups > few.groups);
  assert.ok(few.severity < HAND_SET_WEIGHTS.severity && many.severity < few.severity);
  assert.equal(few.intent, HAND_SET_WEIGHTS.intent, 'nobody said anything about it');
});

test('no weight but the bias becomes negative, whatever is said', () => {
  const feature = fc.double({ min: 0, max: 1, noNaN: true });
  const features = fc.record({
    bias: fc.constant(1),
    intent: feature,
    severity: feature,
    quality: feature,
    groups: feature,
    sensorDays: feature,
  });
  const some = (isBad: boolean) =>
    fc
      .array(features, { minLength: 10, maxLength: 20 })
      .map((all) => all.map((one): Verdict => ({ isBad, features: one, sourceId: 'a' })));
  fc.assert(
    fc.property(some(true), some(false), (bad, good) => {
      const { weights = ZERO } = trainEvidence([...bad, ...good]);
      for (const name of EVIDENCE_FEATURES)
        assert.ok(Number.isFinite(weights[name]) && (name === 'bias' || weights[name] >= 0));
    }),
    { numRuns: 8 },
  );
});

test('each source with verdicts of both kinds is left out once', () => {
  const both = (sourceId: string) => [
    ...verdicts(6, true, { severity: 1 }, sourceId),
    ...verdicts(6, false, { severity: 0.2 }, sourceId),
  ];
  const { report } = trainEvidence([...both('a'), ...both('b'), ...verdicts(3, true, {}, 'c')]);
  assert.deepEqual(report.unseen, [
    { sourceId: 'a', verdicts: 12, auc: 1 },
    { sourceId: 'b', verdicts: 12, auc: 1 },
  ]);
});
