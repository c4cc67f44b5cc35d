// Every published indicator obeys the rules of STIX 2.1, whatever is known about it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readersOf } from '../../domain/audience.ts';
import type { Indicator, IndicatorRecord } from '../../domain/indicator/indicator.ts';
import type { FeedAppend } from '../../store/feed.ts';
import { parsePattern } from '../pattern/pattern-grammar.test-support.ts';
import { records } from './indicators.test-support.ts';
import { entriesOf } from './observed-records.test-support.ts';
import { createRenderStix } from './render.ts';
import { stixContext } from './stix-object.ts';
import { TLP_MARKING_DEFINITIONS } from './tlp-markings.ts';

const INSTALLATION = { secret: Buffer.alloc(32, 7), createdAt: Date.UTC(2025, 11, 31) };
const CONTEXT = stixContext(INSTALLATION.secret);
const renderAll = createRenderStix({ installation: INSTALLATION, collections: () => [], withTlp1: false });

/** The entry of the indicator itself. */
function render(record: IndicatorRecord): FeedAppend[] {
  return entriesOf(renderAll(record, true, readersOf(record.indicator.tlp)).changes).filter(
    ({ type }) => type === 'indicator',
  );
}

const BARE: Indicator = {
  id: '6f1a3b52-90c4-4e0b-8a54-0d6d7d3b9c01',
  type: 'IPV4',
  value: '192.0.2.1',
  categories: [],
  severity: 'UNSPECIFIED',
  confidenceScore: 0,
  tlp: 'GREEN',
  state: 'SCORED',
  firstSeen: Date.UTC(2026, 0, 1),
  lastSeen: Date.UTC(2026, 0, 2),
  sources: [],
  sightings: [],
  tags: [],
  labels: [],
  createdAt: Date.UTC(2026, 0, 1, 0, 0, 5),
  updatedAt: Date.UTC(2026, 0, 1, 0, 0, 6),
  protocol: 'UNSPECIFIED',
  sensorType: 'UNSPECIFIED',
};

const EVIDENCE: IndicatorRecord['evidence'] = {
  sources: [],
  sensorDays: [],
  behaviours: [],
  lead: {
    intent: 'none',
    severity: 'UNSPECIFIED',
    observedAt: BARE.firstSeen,
    sourceId: '',
    protocol: 'UNSPECIFIED',
    sensorType: 'UNSPECIFIED',
  },
};

function rendered(changes: Partial<Indicator>): Record<string, unknown> {
  const [entry] = render({ indicator: { ...BARE, ...changes }, evidence: EVIDENCE, history: [] });
  return JSON.parse(entry?.object ?? 'null');
}

function extensionOf(object: Record<string, unknown>): Record<string, unknown> {
  return (object.extensions as Record<string, Record<string, unknown>>)[CONTEXT.extensionId]!;
}

test('an indicator of which nothing is known has what STIX requires, and nothing made up', () => {
  assert.deepEqual(rendered({}), {
    type: 'indicator',
    spec_version: '2.1',
    id: 'indicator--6f1a3b52-90c4-4e0b-8a54-0d6d7d3b9c01',
    created_by_ref: CONTEXT.identityId,
    created: '2026-01-01T00:00:05.000Z',
    modified: '2026-01-01T00:00:06.000Z',
    name: '192.0.2.1',
    description: 'IPv4 address.',
    indicator_types: ['unknown'],
    pattern: "[ipv4-addr:value = '192.0.2.1']",
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: '2026-01-01T00:00:00.000Z',
    confidence: 0,
    object_marking_refs: ['marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb'],
    extensions: {
      [CONTEXT.extensionId]: {
        extension_type: 'property-extension',
        state: 'scored',
        first_seen: '2026-01-01T00:00:00.000Z',
        last_seen: '2026-01-02T00:00:00.000Z',
      },
    },
  });
});

test('an indicator of which all is known', () => {
  const object = rendered({
    categories: ['COMMAND_AND_CONTROL', 'SCANNER', 'TOR_EXIT_NODE'],
    severity: 'HIGH',
    confidenceScore: 71,
    tlp: 'AMBER_STRICT',
    state: 'ENRICHED',
    validUntil: Date.UTC(2026, 1, 1),
    sources: [{ id: 's1', name: 'Sensor one', reliability: 0.7, reportedAt: Date.UTC(2026, 0, 1) }],
    enrichment: {
      geo: { countryCode: 'DE', city: '', latitude: 52.5, longitude: 13.4 },
      asn: { number: 64496, organization: 'Example' },
      reverseDns: 'host.example.com',
      malwareFamilies: ['Mirai'],
      attackTechniques: ['T0846'],
      aiSummary: 'Scans for Modbus.',
      riskScore: 0.5,
      enrichedAt: Date.UTC(2026, 0, 1),
    },
    tags: ['ot', 'Verdict:benign'],
    labels: [{ key: 'intent', value: 'write' }],
    protocol: 'OPC_UA',
    sensorType: 'ICS',
  });
  assert.equal(object.description, 'Scans for Modbus.');
  assert.equal(object.valid_until, '2026-02-01T00:00:00.000Z');
  assert.equal(object.confidence, 71);
  assert.deepEqual(object.indicator_types, ['malicious-activity', 'anomalous-activity', 'anonymization']);
  assert.deepEqual(object.labels, ['ot', 'intent:write']);
  assert.deepEqual(object.object_marking_refs, ['marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003']);
  assert.deepEqual(object.external_references, [
    { source_name: 'Sensor one', external_id: 's1' },
    { source_name: 'mitre-attack', external_id: 'T0846' },
  ]);
  assert.deepEqual(extensionOf(object), {
    extension_type: 'property-extension',
    severity: 'high',
    state: 'enriched',
    categories: ['command-and-control', 'scanner', 'tor-exit-node'],
    protocol: 'opc-ua',
    sensor_type: 'ics',
    sources: [{ id: 's1', name: 'Sensor one', reliability: 0.7, reported_at: '2026-01-01T00:00:00.000Z' }],
    first_seen: '2026-01-01T00:00:00.000Z',
    last_seen: '2026-01-02T00:00:00.000Z',
    risk_score: 0.5,
    asn: { number: 64496, organization: 'Example' },
    geo: { country: 'DE', latitude: 52.5, longitude: 13.4 },
    reverse_dns: 'host.example.com',
    attack_techniques: ['T0846'],
    malware_families: ['Mirai'],
  });
});

test('indicator_types follow the verdict; what anonymizes does so in any case', () => {
  const typesOf = (verdict: string, categories: Indicator['categories']) => {
    const labels = [{ key: 'verdict', value: verdict }];
    const object = rendered({ state: 'ENRICHED', categories, labels });
    return [object.indicator_types, extensionOf(object).verdict].flat();
  };
  assert.deepEqual(typesOf('malicious', ['SCANNER']), ['malicious-activity', 'malicious']);
  assert.deepEqual(typesOf('suspicious', ['EXPLOIT', 'PROXY']), [
    'anomalous-activity',
    'anonymization',
    'suspicious',
  ]);
  assert.deepEqual(typesOf('scanner', ['SCANNER']), ['anomalous-activity', 'scanner']);
  assert.deepEqual(typesOf('benign', ['MALWARE']), ['benign', 'benign']);
  assert.deepEqual(typesOf('unknown', ['MALWARE']), ['unknown', 'unknown']);
});

test('a field of the enrichment that STIX has no form for goes into the extension under its name', () => {
  const enrichment = {
    malwareFamilies: [],
    attackTechniques: [],
    aiSummary: '',
    enrichedAt: 0,
    openPorts: [502],
  };
  assert.deepEqual(extensionOf(rendered({ state: 'ENRICHED', enrichment })).open_ports, [502]);
});

test('valid_until is left out unless it is later than valid_from', () => {
  assert.equal('valid_until' in rendered({ validUntil: BARE.firstSeen }), false);
  assert.equal('valid_until' in rendered({ validUntil: BARE.firstSeen - 1 }), false);
  assert.equal(rendered({ validUntil: BARE.firstSeen + 1 }).valid_until, '2026-01-01T00:00:00.001Z');
});

test('a JA3 fingerprint stands in our extension too', () => {
  const value = 'd41d8cd98f00b204e9800998ecf8427e';
  assert.equal(extensionOf(rendered({ type: 'JA3', value })).ja3, value);
});

test('a RAW indicator is not published', () => {
  const record = { indicator: { ...BARE, state: 'RAW' as const }, evidence: EVIDENCE, history: [] };
  assert.deepEqual(render(record), []);
});

test('an indicator without a marking goes to the most trusted only', () => {
  const record = { indicator: { ...BARE, tlp: 'UNSPECIFIED' as const }, evidence: EVIDENCE, history: [] };
  assert.equal(render(record)[0]?.audience, readersOf('RED'));
});

test('the entry says of its object what the object says of itself', () => {
  fc.assert(
    fc.property(published(), (record) => {
      const [entry] = render(record);
      const object = JSON.parse(entry!.object);
      assert.equal(entry!.id, object.id);
      assert.equal(entry!.type, object.type);
      assert.equal(entry!.version, object.modified);
      assert.equal(entry!.modified, Date.parse(object.modified));
      assert.equal(entry!.audience, readersOf(record.indicator.tlp));
    }),
  );
});

test('one version is always the same bytes', () => {
  fc.assert(
    fc.property(published(), (record) => assert.deepEqual(render(record), render(structuredClone(record)))),
  );
});

test('every indicator keeps the rules that STIX calls MUST', () => {
  fc.assert(
    fc.property(published(), (record) => {
      const object = JSON.parse(render(record)[0]!.object);
      assertStixIndicator(object);
      assert.equal(parsePattern(object.pattern).value, record.indicator.value);
      assert.equal(object.confidence, record.indicator.confidenceScore);
    }),
    { numRuns: 500 },
  );
});

function published(): fc.Arbitrary<IndicatorRecord> {
  return records.filter(({ indicator }) => indicator.state !== 'RAW');
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID_4 = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const MARKING_IDS = new Set(TLP_MARKING_DEFINITIONS.map(({ id }) => id));

// biome-ignore format: a table of rules.
const INDICATOR_TYPE_OV = new Set([
  'anomalous-activity', 'anonymization', 'benign', 'compromised', 'malicious-activity', 'attribution', 'unknown',
]);

interface StixIndicator {
  readonly id: string;
  readonly type: string;
  readonly spec_version: string;
  readonly created_by_ref: string;
  readonly created: string;
  readonly modified: string;
  readonly name: string;
  readonly description: string;
  readonly indicator_types: readonly string[];
  readonly pattern_type: string;
  readonly pattern_version: string;
  readonly valid_from: string;
  readonly valid_until?: string;
  readonly confidence: number;
  readonly object_marking_refs: readonly string[];
  readonly external_references?: readonly { readonly source_name: string; readonly external_id: string }[];
  readonly extensions: Readonly<Record<string, { readonly extension_type: string }>>;
}

/** The checks of a validator, and further rules of the text. */
function assertStixIndicator(object: StixIndicator): void {
  assertNoEmptyValues(object, 'indicator');
  assert.equal(object.type, 'indicator');
  assert.equal(object.spec_version, '2.1');
  assert.match(object.id, new RegExp(`^indicator--${UUID_4}$`));
  assert.match(object.created_by_ref, new RegExp(`^identity--${UUID_4}$`));
  for (const time of [object.created, object.modified, object.valid_from]) assert.match(time, TIMESTAMP);
  assert.ok(object.modified >= object.created);
  if (object.valid_until !== undefined) {
    assert.match(object.valid_until, TIMESTAMP);
    assert.ok(object.valid_until > object.valid_from);
  }
  assert.ok(object.name.length > 0 && object.description.length > 0);
  assert.equal(object.pattern_type, 'stix');
  assert.equal(object.pattern_version, '2.1');
  assert.ok(Number.isInteger(object.confidence) && object.confidence >= 0 && object.confidence <= 100);
  for (const type of object.indicator_types) assert.ok(INDICATOR_TYPE_OV.has(type));
  assert.equal(new Set(object.indicator_types).size, object.indicator_types.length);
  for (const id of object.object_marking_refs) assert.ok(MARKING_IDS.has(id));
  for (const reference of object.external_references ?? []) {
    assert.ok(reference.source_name !== '' && reference.external_id !== '');
  }
  for (const [id, extension] of Object.entries(object.extensions)) {
    assert.match(id, new RegExp(`^extension-definition--${UUID_4}$`));
    assert.equal(extension.extension_type, 'property-extension');
    for (const name of Object.keys(extension)) assert.match(name, /^[a-z0-9_]{3,250}$/);
  }
  for (const name of Object.keys(object)) assert.ok(name === 'id' || /^[a-z0-9_]{3,250}$/.test(name), name);
}

/** §2.1, §2.9: no null and no empty list anywhere. */
function assertNoEmptyValues(value: unknown, path: string): void {
  assert.notEqual(value, null, path);
  if (typeof value !== 'object' || value === null) return;
  assert.ok(Object.keys(value).length > 0, `${path} is empty`);
  for (const [name, member] of Object.entries(value)) assertNoEmptyValues(member, `${path}.${name}`);
}

test('no reported tag or label reads like one that the service computes', () => {
  const computed = [
    { key: 'never-block', value: '' },
    { key: 'verdict', value: 'malicious' },
  ];
  const forged = ['verdict:benign', 'Verdict', 'verdict ', 'false-positive:x', 'Withdrawn', 'intent:read'];
  const labels = [...computed, ...forged.map((key) => ({ key, value: key.includes(':') ? '' : 'benign' }))];
  const tags = ['verdict:benign', 'withdrawn', 'FALSE-POSITIVE', 'ot'];
  const object = rendered({ state: 'ENRICHED', labels, tags });
  assert.deepEqual(object.labels, ['ot', 'never-block', 'verdict:malicious']);
});
