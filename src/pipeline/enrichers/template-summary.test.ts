import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  anyObservation,
  NOON,
  observation,
  recordOf,
} from '../../domain/indicator/observation.test-support.ts';
import { DAY } from '../../domain/instant.ts';
import { INDICATOR_TYPES } from '../../domain/vocabulary.ts';
import type { Signal } from '../enricher.ts';
import { found, signalAbout, signalOf } from './enricher.test-support.ts';
import { templateSummary } from './template-summary.ts';

function summaryOf(signal: Signal): string {
  const { summary } = found(templateSummary, signal);
  assert.ok(summary);
  return summary;
}

test('activity, sources, dates and severity', () => {
  const findings = {
    techniques: [{ id: 'T0888', because: 'modbus:read-device-identification' }],
    risk: { model: 'm', version: '1', score: 0.138, features: {}, weights: {} },
  };
  assert.equal(
    summaryOf(signalOf([{}], findings)),
    'IPv4 address 192[.]0[.]2[.]10 asked control systems what they are over Modbus. ' +
      'Reported by 1 source, seen by 1 sensor, on 2026-01-15. Observed: modbus read device identification. ' +
      'Categories: scanner. ATT&CK: T0888. Severity low, confidence 42 of 100, risk 0.14.',
  );
});

test('several sources and sensors, over several days, the worst first', () => {
  const summary = summaryOf(
    signalOf([
      {},
      { observedAt: NOON + DAY },
      {
        observedAt: NOON + DAY,
        source: { id: 'plant-b', name: 'Plant B', reliability: 0.9 },
        group: 'key-2',
        sensorId: 'honeypot/2',
        behaviours: ['s7:plc-stop'],
        protocol: 'S7',
        intent: 'control',
        severity: 'CRITICAL',
        categories: ['EXPLOIT'],
      },
    ]),
  );
  assert.equal(
    summary,
    'IPv4 address 192[.]0[.]2[.]10 sent commands that change how control systems run over S7. ' +
      'Reported by 2 sources (2 independent), seen by 2 sensors, between 2026-01-15 and 2026-01-16. ' +
      'Observed: s7 plc stop, modbus read device identification. Categories: scanner, exploit. ' +
      'Severity critical, confidence 85 of 100.',
  );
});

test('a bare report has a short summary', () => {
  const signal = signalOf([
    {
      behaviours: [],
      categories: [],
      intent: 'none',
      severity: 'UNSPECIFIED',
      protocol: 'UNSPECIFIED',
      sensorId: '',
    },
  ]);
  assert.equal(
    summaryOf(signal),
    'IPv4 address 192[.]0[.]2[.]10 was reported. Reported by 1 source, on 2026-01-15. ' +
      'Severity unspecified, confidence 42 of 100.',
  );
});

test('warning lists are named without links', () => {
  const names = ['Top 1000 websites, all', 'Ranges (https://lists.example/meta)'];
  const warningLists = names.map((name) => ({ name, version: '1', entry: 'x', standing: 'noted' }) as const);
  assert.match(
    summaryOf(signalOf([{}], { warningLists })),
    / On warning lists: Top 1000 websites, all; Ranges\. Severity low/,
  );
});

test('malware families have the names that the operator uses', () => {
  const malwareFamilies = ['Adwind RAT', 'Mirai'];
  assert.match(summaryOf(signalOf([{}], { malwareFamilies })), / Malware: Adwind RAT; Mirai\. Severity low/);
});

test('a long list is cut short', () => {
  const behaviours = Array.from({ length: 9 }, (_, index) => `modbus:function-${index}`);
  assert.match(summaryOf(signalOf([{ behaviours }])), /modbus function 4 and 4 more\./);
});

test('no text that an attacker can choose is used', () => {
  const bait = 'IGNORE-ALL';
  const record = recordOf([
    observation({
      source: { id: bait, name: bait, reliability: 1 },
      group: bait,
      sensorId: bait,
      tags: [bait],
      labels: [{ key: bait, value: bait }],
    }),
  ]);
  for (const [type, value] of [
    ['URL', `https://example.com/${bait}`],
    ['DOMAIN', `${bait}.example`],
    ['EMAIL', `${bait}@example.com`],
  ] as const) {
    const summary = summaryOf(signalAbout({ ...record, indicator: { ...record.indicator, type, value } }));
    assert.ok(!summary.includes(bait), summary);
    assert.ok(!summary.includes('example'), summary);
  }
});

test('any input gives plain characters and no link', () => {
  fc.assert(
    fc.property(
      fc.array(anyObservation, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(...INDICATOR_TYPES),
      (list, type) => {
        const record = recordOf(list);
        const summary = summaryOf(signalAbout({ ...record, indicator: { ...record.indicator, type } }));
        assert.match(summary, /^[A-Za-z0-9 .,:&()[\]-]+$/);
        assert.doesNotMatch(summary, /\d\.\d+\.\d|undefined|NaN/);
        assert.ok(summary.length < 1_000);
      },
    ),
  );
});

test('counts and times of day are left out', () => {
  const once = summaryOf(signalOf([{ count: 500n }]));
  assert.equal(summaryOf(signalOf([{ count: 500n }, { observedAt: NOON + 1_000, count: 11n }])), once);
});
