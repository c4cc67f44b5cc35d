import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeObservation } from '../domain/indicator/merge.ts';
import {
  CONTEXT,
  NOON,
  OBSERVATION,
  observation,
  recordOf,
} from '../domain/indicator/observation.test-support.ts';
import { DAY } from '../domain/instant.ts';
import { scoreIndicator } from '../domain/score/confidence.ts';
import { observedSeverity, score, withSeverity } from './score.ts';

test('a RAW indicator becomes SCORED, with score, validUntil and receipt', () => {
  const raw = recordOf([OBSERVATION]);
  const { indicator, receipt, history } = score(raw, NOON + 100);
  assert.equal(indicator.state, 'SCORED');
  assert.ok(receipt);
  assert.equal(indicator.confidenceScore, receipt.score);
  assert.equal(receipt.score, 42);
  assert.equal(indicator.validUntil, receipt.validUntil);
  assert.ok((indicator.validUntil ?? 0) > NOON);
  assert.equal(indicator.updatedAt, NOON + 100);
  assert.deepEqual(history.at(-1), { from: 'RAW', to: 'SCORED', at: NOON + 100, actor: 'pipeline' });
  assert.equal(raw.indicator.state, 'RAW');
});

test('a later state is scored in place, and what enrichment gave is kept', () => {
  const scored = score(recordOf([OBSERVATION]), NOON);
  assert.ok(scored.receipt);
  const adjustments = [{ enricher: 'asn', points: 5, because: 'test' }];
  const techniques = [{ id: 'T0888', because: 'modbus:read-device-identification' }];
  const caps = [...scored.receipt.caps, { rule: 'warning-list', limit: 40, because: 'test' }];
  const enriched = {
    ...scored,
    indicator: { ...scored.indicator, state: 'VERIFIED' as const },
    receipt: { ...scored.receipt, adjustments, techniques, caps },
  };
  const merged = mergeObservation(enriched, observation({ observedAt: NOON + DAY }), CONTEXT);
  const { indicator, receipt, history } = score(merged, NOON);
  assert.equal(indicator.state, 'VERIFIED');
  assert.equal(history.length, 2);
  assert.equal(indicator.updatedAt, merged.indicator.updatedAt + 1);
  assert.deepEqual(receipt?.adjustments, adjustments);
  assert.deepEqual(receipt?.techniques, techniques);
  assert.equal(receipt?.corroboration.sensorDays, 2);
  assert.equal(receipt?.score, 40, 'the cap from outside is still there');
  assert.deepEqual(
    receipt?.caps.map(({ rule }) => rule),
    ['single-source', 'warning-list'],
  );
});

const HIGH = recordOf([observation({ severity: 'HIGH' })]);
const BOUND = { limit: 'LOW', because: 'test' } as const;

test('a bound lowers what is shown, never raises it, and goes without a trace', () => {
  assert.equal(withSeverity(HIGH, 'HIGH', BOUND).indicator.severity, 'LOW');
  assert.equal(withSeverity(HIGH, 'INFO', BOUND).indicator.severity, 'INFO');
  assert.equal(withSeverity(HIGH, 'HIGH', undefined), HIGH);
});

test('what was observed is remembered while it is bounded, and rises with what is seen since', () => {
  assert.equal(observedSeverity(HIGH), 'HIGH');
  const bounded = {
    ...withSeverity(HIGH, 'HIGH', BOUND),
    receipt: { ...scoreIndicator(HIGH), severity: { ...BOUND, observed: 'HIGH' as const } },
  };
  assert.equal(observedSeverity(bounded), 'HIGH');
  const since = { ...bounded, indicator: { ...bounded.indicator, severity: 'CRITICAL' as const } };
  assert.equal(observedSeverity(since), 'CRITICAL');
});
