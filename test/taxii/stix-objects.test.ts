// Every object type of the feed in every variation, checked against the schemas and rules of STIX 2.1.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readersOf } from '../../src/domain/audience.ts';
import type { Enrichment, Indicator, IndicatorRecord } from '../../src/domain/indicator/indicator.ts';
import { mergeObservation } from '../../src/domain/indicator/merge.ts';
import type { Observation } from '../../src/domain/indicator/sensor-event.ts';
import {
  INDICATOR_STATES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
} from '../../src/domain/vocabulary.ts';
import { records } from '../../src/stix/objects/indicators.test-support.ts';
import { initialObjects } from '../../src/stix/objects/initial-objects.ts';
import { entriesOf } from '../../src/stix/objects/observed-records.test-support.ts';
import { createRenderStix } from '../../src/stix/objects/render.ts';
import { judgeFeed, STIX_TYPES } from '../support/stix-feed.ts';
import type { StixObject } from '../support/wire.ts';

const INSTALLATION = { secret: Buffer.alloc(32, 3), createdAt: Date.UTC(2026, 0, 1) };
const SEEN_AT = Date.UTC(2026, 1, 1);

const OBSERVATION: Observation = {
  type: 'URL',
  value: "http://evil.example/a'b\\c",
  observedAt: SEEN_AT,
  count: 1n,
  source: { id: 's', name: 'Sensor', reliability: 0.7 },
  group: 'g',
  sensorId: 'sensor',
  sensorType: 'ICS',
  protocol: 'S7',
  categories: ['MALWARE'],
  severity: 'HIGH',
  tags: ['plc'],
  labels: [{ key: 'site', value: 'north' }],
  tlp: 'GREEN',
  behaviours: [],
  intent: 'write',
  quality: 1,
  seen: [],
};

const ENRICHMENT: Enrichment = {
  malwareFamilies: ['Mirai'],
  attackTechniques: ['T0855', 'T9999'],
  geo: { countryCode: 'NL', city: 'Delft', latitude: 52, longitude: 4.4 },
  asn: { number: 64_496, organization: 'Example Networks' },
  reverseDns: 'host.example',
  aiSummary: 'Writes to controllers.',
  riskScore: 0.5,
  enrichedAt: SEEN_AT,
};

const UNKNOWN: Enrichment = {
  malwareFamilies: [],
  attackTechniques: [],
  aiSummary: 'Seen.',
  enrichedAt: SEEN_AT,
};

interface Variation {
  readonly seen?: Partial<Observation>;
  readonly found?: Partial<Enrichment>;
  readonly known?: Partial<Indicator>;
}

const DIGEST = '0123456789abcdef'.repeat(4);

/** One value for each form of pattern, and values that need escapes. */
const OBSERVABLES: readonly Pick<Observation, 'type' | 'value'>[] = [
  { type: 'IPV4', value: '198.51.100.7' },
  { type: 'IPV6', value: '2001:db8::1' },
  { type: 'DOMAIN', value: 'xn--bcher-kva.example' },
  { type: 'URL', value: 'http://evil.example/' },
  { type: 'URL', value: "http://evil.example/'\\'?q=\\\\[x] OR 'y'" },
  { type: 'FILE_HASH_MD5', value: DIGEST.slice(32) },
  { type: 'FILE_HASH_SHA1', value: DIGEST.slice(24) },
  { type: 'FILE_HASH_SHA256', value: DIGEST },
  { type: 'EMAIL', value: "o'brien@evil.example" },
  { type: 'CIDR', value: '198.51.100.0/24' },
  { type: 'CIDR', value: '2001:db8::/32' },
  { type: 'JA3', value: DIGEST.slice(32) },
  { type: 'SSL_CERT_FINGERPRINT', value: DIGEST.slice(32) },
  { type: 'SSL_CERT_FINGERPRINT', value: DIGEST.slice(24) },
  { type: 'SSL_CERT_FINGERPRINT', value: DIGEST },
];

const PLACES: readonly Enrichment['geo'][] = [
  { countryCode: '', city: '' },
  { countryCode: 'BQ', city: '' },
  // Address databases use this code, but ISO 3166-1 does not have it.
  { countryCode: 'XK', city: '' },
  { countryCode: '', city: 'Delft' },
  { countryCode: '', city: '', latitude: -90, longitude: 180 },
  { countryCode: '', city: '', latitude: 52.5 },
];

const VARIATIONS: Readonly<Record<string, readonly Variation[]>> = {
  observable: OBSERVABLES.map((seen) => ({ seen })),
  marking: TLP_MARKINGS.map((tlp) => ({ seen: { tlp } })),
  category: [
    ...THREAT_CATEGORIES.map((category) => ({ known: { categories: [category] } })),
    { known: { categories: [] } },
    { known: { categories: [...THREAT_CATEGORIES] } },
  ],
  state: INDICATOR_STATES.map((state) => ({ known: { state } })),
  severity: SEVERITIES.map((severity) => ({ known: { severity } })),
  protocol: PROTOCOLS.map((protocol) => ({ known: { protocol } })),
  'kind of sensor': SENSOR_TYPES.map((sensorType) => ({ known: { sensorType } })),
  place: PLACES.map((geo) => ({ found: { ...(geo && { geo }) } })),
  network: [0, 2 ** 32 - 1].map((number) => ({ found: { asn: { number, organization: '' } } })),
  'number of occurrences': [1n, 999_999_999n, 1_000_000_000n, 2n ** 64n - 1n].map((count) => ({
    seen: { count },
  })),
  score: [0, 100].map((confidenceScore) => ({ known: { confidenceScore } })),
  risk: [0, 1].map((riskScore) => ({ found: { riskScore } })),
  'end of validity': [-1, 0, 1].map((later) => ({ known: { validUntil: SEEN_AT + later } })),
  'source that is called like a list of vulnerabilities': ['cve', 'capec', 'CVE-2024-0001', 'CAPEC-1'].map(
    (id) => ({ seen: { source: { id, name: '', reliability: 0.7 } } }),
  ),
  'name that two things share': [{ found: { malwareFamilies: ['T0855'], attackTechniques: ['T0855'] } }],
  'thing that nobody said': [
    { seen: { source: { id: 's', name: '', reliability: 0 } } },
    { seen: { labels: [{ key: 'k', value: '' }] }, found: { aiSummary: '', reverseDns: '' } },
    { known: { enrichment: UNKNOWN } },
    { known: { sources: [], sightings: [] } },
    { known: { tags: [], labels: [] } },
  ],
};

/** A record in the form that the pipeline stores, for an observable of its own. */
function recordOf({ seen, found, known }: Variation): IndicatorRecord {
  const context = { id: randomUUID(), now: SEEN_AT, createdAt: SEEN_AT };
  const record = mergeObservation(undefined, { ...OBSERVATION, ...seen }, context);
  const enrichment = { ...ENRICHMENT, ...found };
  return { ...record, indicator: { ...record.indicator, state: 'ENRICHED', enrichment, ...known } };
}

/** The life of an indicator: published, enriched with nothing, seen under the highest marking, withdrawn. */
function lifeOf(record: IndicatorRecord): readonly Partial<IndicatorRecord>[] {
  const { indicator } = record;
  const at = (step: number, members: Partial<Indicator>): Indicator => ({
    ...indicator,
    ...members,
    updatedAt: indicator.updatedAt + step,
  });
  return [
    {},
    { indicator: at(1, { enrichment: UNKNOWN }) },
    { indicator: at(2, { tlp: 'RED' }) },
    { indicator: at(3, { tlp: 'RED' }), revokedAt: SEEN_AT },
  ];
}

/** Checks the feed of these indicators through all their changes. */
function judged(indicators: readonly IndicatorRecord[], withTlp1: boolean): ReturnType<typeof judgeFeed> {
  const render = createRenderStix({ installation: INSTALLATION, collections: () => [], withTlp1 });
  const published = new Map(
    initialObjects(INSTALLATION).map((entry) => [`${entry.id} ${entry.version}`, entry]),
  );
  for (const indicator of indicators) {
    let record = indicator;
    for (const step of lifeOf(indicator)) {
      const { changes, feed } = render({ ...record, ...step }, true, readersOf(record.indicator.tlp));
      record = { ...record, ...(feed && { feed }) };
      // The feed keeps the first object for each (id, version).
      for (const entry of entriesOf(changes)) {
        const version = `${entry.id} ${entry.version}`;
        if (!published.has(version)) published.set(version, entry);
      }
    }
  }
  return judgeFeed([...published.values()].map(({ object }): StixObject => JSON.parse(object)));
}

for (const withTlp1 of [false, true]) {
  describe(`${withTlp1 ? 'with' : 'without'} markings of TLP 1`, () => {
    for (const [name, variations] of Object.entries(VARIATIONS)) {
      test(`every ${name}`, () => {
        assert.deepEqual(judged(variations.map(recordOf), withTlp1).faults, []);
      });
    }

    test('every type of object', (t) => {
      const { faults, counts } = judged(Object.values(VARIATIONS).flat().map(recordOf), withTlp1);
      t.diagnostic(`objects: ${JSON.stringify(counts)}`);
      assert.deepEqual(faults, []);
      assert.deepEqual(Object.keys(counts), STIX_TYPES);
    });
  });
}

test('whatever is known of an indicator', () => {
  fc.assert(
    fc.property(records, (record) => {
      assert.deepEqual(judged([record], true).faults, []);
    }),
    { numRuns: 150 },
  );
});
