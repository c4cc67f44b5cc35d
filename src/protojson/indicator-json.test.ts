// Domain indicators and score receipts against the contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, toJson } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import type { Indicator, IndicatorRecord } from '../domain/indicator/indicator.ts';
import type { ScoreReceipt } from '../domain/score/score-receipt.ts';
import {
  INDICATOR_STATES,
  INDICATOR_TYPES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
} from '../domain/vocabulary.ts';
import { ThreatIndicatorSchema } from '../gen/threatintel/v1/model_pb.ts';
import { encodeIndicator, encodeReceipt } from './indicator-json.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const instant = fc.oneof(
  fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
  fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
);
const unit = fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs);
const degrees = fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value + 0);

const arbitraryIndicator: fc.Arbitrary<Indicator> = fc.record(
  {
    id: fc.uuid(),
    type: fc.constantFrom(...INDICATOR_TYPES),
    value: text,
    categories: fc.array(fc.constantFrom(...THREAT_CATEGORIES)),
    severity: fc.constantFrom(...SEVERITIES),
    confidenceScore: fc.nat({ max: 100 }),
    tlp: fc.constantFrom(...TLP_MARKINGS),
    state: fc.constantFrom(...INDICATOR_STATES),
    firstSeen: instant,
    lastSeen: instant,
    validUntil: instant,
    sources: fc.array(fc.record({ id: text, name: text, reliability: unit, reportedAt: instant })),
    sightings: fc.array(
      fc.record({ sourceId: text, observedAt: instant, count: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }) }),
    ),
    enrichment: fc.record(
      {
        geo: fc.record(
          { countryCode: text, city: text, latitude: degrees, longitude: degrees },
          { requiredKeys: ['countryCode', 'city'] },
        ),
        asn: fc.record({ number: fc.nat({ max: 2 ** 32 - 1 }), organization: text }),
        reverseDns: text,
        malwareFamilies: fc.array(text),
        attackTechniques: fc.array(text),
        aiSummary: text,
        riskScore: unit,
        enrichedAt: instant,
      },
      { requiredKeys: ['malwareFamilies', 'attackTechniques', 'aiSummary', 'enrichedAt'] },
    ),
    tags: fc.array(text),
    labels: fc.array(fc.record({ key: text, value: text })),
    createdAt: instant,
    updatedAt: instant,
    protocol: fc.constantFrom(...PROTOCOLS),
    sensorType: fc.constantFrom(...SENSOR_TYPES),
  },
  {
    requiredKeys: [
      ...(['id', 'type', 'value', 'categories', 'severity', 'confidenceScore', 'tlp', 'state'] as const),
      ...(['firstSeen', 'lastSeen', 'sources', 'sightings', 'tags', 'labels'] as const),
      ...(['createdAt', 'updatedAt', 'protocol', 'sensorType'] as const),
    ],
  },
);

/** The same indicator as a generated message, mapped here by hand. */
function oracle(indicator: Indicator): string {
  const { validUntil, enrichment, ...rest } = indicator;
  const at = timestampFromMs;
  const message = create(ThreatIndicatorSchema, {
    ...rest,
    type: INDICATOR_TYPES.indexOf(indicator.type),
    categories: indicator.categories.map((name) => THREAT_CATEGORIES.indexOf(name)),
    severity: SEVERITIES.indexOf(indicator.severity),
    tlp: TLP_MARKINGS.indexOf(indicator.tlp),
    state: INDICATOR_STATES.indexOf(indicator.state),
    protocol: PROTOCOLS.indexOf(indicator.protocol),
    sensorType: SENSOR_TYPES.indexOf(indicator.sensorType),
    firstSeen: at(indicator.firstSeen),
    lastSeen: at(indicator.lastSeen),
    createdAt: at(indicator.createdAt),
    updatedAt: at(indicator.updatedAt),
    sources: indicator.sources.map((source) => ({ ...source, reportedAt: at(source.reportedAt) })),
    sightings: indicator.sightings.map((one) => ({ ...one, observedAt: at(one.observedAt) })),
    tags: [...indicator.tags],
    labels: [...indicator.labels],
    ...(validUntil === undefined ? {} : { validUntil: at(validUntil) }),
    ...(enrichment === undefined
      ? {}
      : {
          enrichment: {
            ...enrichment,
            malwareFamilies: [...enrichment.malwareFamilies],
            attackTechniques: [...enrichment.attackTechniques],
            enrichedAt: at(enrichment.enrichedAt),
          },
        }),
  } as never);
  return JSON.stringify(toJson(ThreatIndicatorSchema, message, { alwaysEmitImplicit: true }));
}

test('an indicator is written byte for byte as its generated message would be', () => {
  fc.assert(
    fc.property(arbitraryIndicator, (indicator) => {
      assert.equal(encodeIndicator(indicator), oracle(indicator));
    }),
    { numRuns: 300 },
  );
});

test('what is not known is left out, not stated as zero', () => {
  const json = JSON.parse(
    encodeIndicator({
      ...fc.sample(arbitraryIndicator, { numRuns: 1, seed: 1 })[0]!,
      enrichment: {
        geo: { countryCode: 'DE', city: '' },
        malwareFamilies: [],
        attackTechniques: [],
        aiSummary: '',
        enrichedAt: 0,
      },
    }),
  );
  assert.deepEqual(json.enrichment, {
    geo: { countryCode: 'DE', city: '' },
    malwareFamilies: [],
    attackTechniques: [],
    aiSummary: '',
    enrichedAt: '1970-01-01T00:00:00Z',
  });
});

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
      sourceName: 'S (reported by key k)',
      reliability: 0.7,
      quality: 0.5,
      certainty: 0.5,
      lastObservedAt: AT,
      recency: 1,
      probability: 0.35,
    },
  ],
  combined: 0.35,
  corroboration: { sensorDays: 3, doublings: 2, acts: 1, spanDoublings: 4, doubt: 0.7 },
  adjustments: [{ enricher: 'asn', points: -2.5, because: 'known scanner' }],
  adjustment: -2.5,
  caps: [
    { rule: 'single-source', limit: 89, because: 'one source' },
    { rule: 'warning-list', limit: 40, because: 'shared', factor: 0.5 },
  ],
  score: 28,
  decay: { tauDays: 30, delta: 1 },
  lifetime: { days: 4, because: 'a scan', persistence: 1.5, trust: 0.78, share: 0.5 },
  validUntil: AT,
  risk: { model: 'evidence', version: '1', score: 0.4, features: { writes: 2 }, weights: { writes: -0.5 } },
  techniques: [{ id: 'T0846', because: 'modbus scan' }],
  warningLists: [{ name: 'Clouds', version: '3', entry: '203.0.113.0/24', standing: 'shared' }],
  summary: { model: 'small', facts: 'ab' },
  scanner: { name: 'Censys', by: 'address', entry: '203.0.113.0/24' },
  verdict: {
    rules: 'verdict-1',
    verdict: 'MALICIOUS',
    because: 'exploit with confidence 80',
    hostileScore: 80,
  },
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
    verdict: { ...RECEIPT.verdict, verdict: 'VERDICT_MALICIOUS' },
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
    'corroboration',
    'lifetime',
    'adjustment',
    'decay',
    'risk',
    'validUntil',
  ]) {
    assert.equal(member in json, false, member);
  }
});
