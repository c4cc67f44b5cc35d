// The explanation of a score: everything that is kept, and nothing claimed before there is a score.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import type { ScoreReceipt } from '../domain/score/score-receipt.ts';
import { encodeReceipt } from './encode-receipt.ts';

const AT = Date.UTC(2026, 0, 1);
const AT_TEXT = '2026-01-01T00:00:00Z';

const RAW: IndicatorRecord = {
  indicator: {
    id: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
    type: 'IPV4',
    value: '203.0.113.9',
    categories: ['SCANNER'],
    severity: 'LOW',
    confidenceScore: 0,
    tlp: 'GREEN',
    state: 'RAW',
    firstSeen: AT,
    lastSeen: AT,
    sources: [],
    sightings: [],
    tags: [],
    labels: [],
    createdAt: AT,
    updatedAt: AT,
    protocol: 'MODBUS',
    sensorType: 'ICS',
  },
  evidence: {
    sources: [],
    sensorDays: [],
    behaviours: [],
    lead: {
      intent: 'none',
      severity: 'LOW',
      observedAt: AT,
      sourceId: 's',
      protocol: 'MODBUS',
      sensorType: 'ICS',
    },
  },
  history: [{ from: 'UNSPECIFIED', to: 'RAW', at: AT, actor: 'pipeline' }],
};

const RECEIPT: Required<ScoreReceipt> = {
  rules: 'rules-1',
  type: 'IPV4',
  categories: ['SCANNER', 'BOTNET'],
  lastSeen: AT,
  groups: [
    {
      group: 'g',
      sourceId: 's',
      reliability: 0.7,
      quality: 0.5,
      lastObservedAt: AT,
      recency: 1,
      probability: 0.35,
    },
  ],
  combined: 0.35,
  sensorDays: 3,
  saturated: 0.3,
  adjustments: [{ enricher: 'asn', points: -2.5, because: 'known scanner' }],
  adjustment: -2.5,
  caps: [
    { rule: 'single-source', limit: 89, because: 'one source' },
    { rule: 'warning-list', limit: 40, because: 'shared', factor: 0.5 },
  ],
  score: 28,
  decay: { tauDays: 30, delta: 1, threshold: 20 },
  validUntil: AT,
  risk: { model: 'evidence', version: '1', score: 0.4, features: { writes: 2 }, weights: { writes: -0.5 } },
  techniques: [{ id: 'T0846', because: 'modbus scan' }],
  warningLists: [{ name: 'Clouds', version: '3', entry: '203.0.113.0/24' }],
  severity: { observed: 'HIGH', limit: 'LOW', because: 'research' },
  datasets: [{ name: 'Cities', builtAt: AT }],
  failures: [{ enricher: 'geo', reason: 'timeout' }],
};

test('a receipt is shown in full, with the history', () => {
  const json = JSON.parse(encodeReceipt({ ...RAW, receipt: RECEIPT }));
  assert.deepEqual(json, {
    ...RECEIPT,
    indicatorId: RAW.indicator.id,
    type: 'INDICATOR_TYPE_IPV4',
    categories: ['THREAT_CATEGORY_SCANNER', 'THREAT_CATEGORY_BOTNET'],
    lastSeen: AT_TEXT,
    groups: [{ ...RECEIPT.groups[0], lastObservedAt: AT_TEXT }],
    validUntil: AT_TEXT,
    severity: { ...RECEIPT.severity, observed: 'SEVERITY_HIGH', limit: 'SEVERITY_LOW' },
    datasets: [{ name: 'Cities', builtAt: AT_TEXT }],
    history: [
      { from: 'INDICATOR_STATE_UNSPECIFIED', to: 'INDICATOR_STATE_RAW', at: AT_TEXT, actor: 'pipeline' },
    ],
  });
});

test('while RAW no score is claimed, not even zero', () => {
  const json = JSON.parse(encodeReceipt(RAW));
  assert.equal(json.type, 'INDICATOR_TYPE_IPV4');
  assert.equal(json.rules, '');
  assert.equal(json.history.length, 1);
  for (const member of [
    'score',
    'combined',
    'saturated',
    'sensorDays',
    'adjustment',
    'decay',
    'risk',
    'validUntil',
  ]) {
    assert.equal(member in json, false, member);
  }
});
