import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreIndicator } from '../score/confidence.ts';
import { observation, recordOf } from './observation.test-support.ts';
import { observedSeverity, withSeverity } from './severity-bound.ts';

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
