import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { INTENTS } from '../../domain/indicator/indicator.ts';
import {
  anyObservation,
  NOON,
  type observation,
  recordOf,
} from '../../domain/indicator/observation.test-support.ts';
import { DAY } from '../../domain/instant.ts';
import { SEVERITIES } from '../../domain/vocabulary.ts';
import type { Signal } from '../enricher.ts';
import { found, signalAbout, signalOf } from './enricher.test-support.ts';
import { evidenceRisk } from './evidence-risk.ts';

function riskOf(signal: Signal): number {
  const { risk } = found(evidenceRisk, signal);
  assert.ok(risk);
  return risk.score;
}

test('worked examples, as published', () => {
  assert.equal(riskOf(signalOf([{}])), 0.138);
  const write = { intent: 'write', severity: 'HIGH', quality: 0.85 } as const;
  assert.equal(riskOf(signalOf([write])), 0.632);
  assert.equal(riskOf(signalOf([{ ...write, intent: 'control', severity: 'CRITICAL' }])), 0.824);
  assert.equal(riskOf(signalOf([{ intent: 'none', quality: 0.6 }])), 0.106);
});

test('features and weights in the receipt give the score again', () => {
  const { risk } = found(evidenceRisk, signalOf([{}, { observedAt: NOON + DAY, group: 'key-2' }]));
  assert.ok(risk);
  assert.equal(`${risk.model} ${risk.version}`, 'evidence-logistic 1');
  assert.deepEqual(Object.keys(risk.features), Object.keys(risk.weights));
  const logOdds = Object.entries(risk.features).reduce(
    (sum, [name, value]) => sum + value * (risk.weights[name] ?? 0),
    0,
  );
  assert.ok(Math.abs(1 / (1 + Math.exp(-logOdds)) - risk.score) <= 0.0005);
});

test('the risk lies in 0 to 1 and never falls with further observations', () => {
  fc.assert(
    fc.property(fc.array(anyObservation, { minLength: 1, maxLength: 30 }), anyObservation, (list, more) => {
      const before = riskOf(signalAbout(recordOf(list)));
      assert.ok(before >= 0 && before <= 1);
      assert.ok(riskOf(signalAbout(recordOf([...list, more]))) >= before);
    }),
  );
});

test('the risk never falls with intent, severity, quality, groups or sensor-days', () => {
  const steps: Partial<Parameters<typeof observation>[0]>[][] = [
    INTENTS.map((intent) => ({ intent })),
    SEVERITIES.map((severity) => ({ severity })),
    [0, 0.4, 0.6, 0.85, 1].map((quality) => ({ quality })),
  ];
  for (const row of steps) assertRising(row.map((changes) => riskOf(signalOf([{ ...changes }]))));
  const growing = Array.from({ length: 9 }, (_, length) => length + 1);
  const groups = growing.map((length) =>
    signalOf(growing.slice(0, length).map((group) => ({ group: `g${group}` }))),
  );
  assertRising(groups.map(riskOf));
  const days = growing.map((length) =>
    signalOf(growing.slice(0, length).map((day) => ({ observedAt: NOON - day * DAY }))),
  );
  assertRising(days.map(riskOf));
});

function assertRising(scores: readonly number[]): void {
  for (const [index, score] of scores.entries()) assert.ok(index === 0 || score > (scores[index - 1] ?? 1));
}
