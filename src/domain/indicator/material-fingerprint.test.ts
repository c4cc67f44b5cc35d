import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../instant.ts';
import type { Enrichment, Indicator } from './indicator.ts';
import { materialFingerprint } from './material-fingerprint.ts';
import { NOON, OBSERVATION, observation, recordOf } from './observation.test-support.ts';

const ENRICHMENT: Enrichment = {
  malwareFamilies: [],
  attackTechniques: ['T0888'],
  aiSummary: 'A summary.',
  riskScore: 0.2,
  enrichedAt: NOON,
};
const INDICATOR: Indicator = {
  ...recordOf([observation({ tags: ['a'] })]).indicator,
  validUntil: NOON + DAY,
  enrichment: ENRICHMENT,
};

function changed(changes: Partial<Indicator>): boolean {
  return materialFingerprint({ ...INDICATOR, ...changes }) !== materialFingerprint(INDICATOR);
}

test('a fingerprint is 32 hex digits, the same for the same material', () => {
  assert.match(materialFingerprint(INDICATOR), /^[0-9a-f]{32}$/);
  assert.equal(materialFingerprint(structuredClone(INDICATOR)), materialFingerprint(INDICATOR));
});

test('whatever a reader acts on makes a new version', () => {
  const { enrichment: _none, ...unenriched } = INDICATOR;
  assert.notEqual(materialFingerprint(unenriched), materialFingerprint(INDICATOR));
  const { sources } = recordOf([
    OBSERVATION,
    observation({ source: { id: 'b', name: 'B', reliability: 1 } }),
  ]).indicator;
  const changes: Partial<Indicator>[] = [
    { state: 'SCORED' },
    { confidenceScore: 1 },
    { validUntil: NOON + 2 * DAY },
    { firstSeen: NOON - DAY },
    { categories: [] },
    { severity: 'HIGH' },
    { tlp: 'RED' },
    { tags: [] },
    { tags: ['a', 'b'] },
    { labels: [{ key: 'intent', value: 'write' }] },
    { protocol: 'S7' },
    { sensorType: 'NETWORK' },
    { sources },
    { enrichment: { ...ENRICHMENT, geo: { countryCode: 'NL', city: '' } } },
    { enrichment: { ...ENRICHMENT, geo: { countryCode: '', city: 'NL' } } },
    { enrichment: { ...ENRICHMENT, asn: { number: 64496, organization: '' } } },
    { enrichment: { ...ENRICHMENT, reverseDns: 'host.example.com' } },
    { enrichment: { ...ENRICHMENT, malwareFamilies: ['Mirai'] } },
    { enrichment: { ...ENRICHMENT, attackTechniques: [] } },
    { enrichment: { ...ENRICHMENT, aiSummary: 'Another summary.' } },
    { enrichment: { ...ENRICHMENT, riskScore: 0.3 } },
  ];
  for (const change of changes) assert.ok(changed(change), JSON.stringify(change));
  assert.equal(
    new Set(changes.map((change) => materialFingerprint({ ...INDICATOR, ...change }))).size,
    changes.length,
  );
});

test('what moves with every event does not', () => {
  const changes: Partial<Indicator>[] = [
    { lastSeen: NOON + HOUR, validUntil: NOON + DAY + HOUR },
    { firstSeen: NOON - HOUR },
    { updatedAt: NOON + HOUR },
    { sightings: [] },
    { enrichment: { ...ENRICHMENT, enrichedAt: NOON + HOUR } },
    { sources: INDICATOR.sources.map((source) => ({ ...source, reportedAt: 0 })) },
  ];
  for (const change of changes) assert.equal(changed(change), false, JSON.stringify(change));
});
