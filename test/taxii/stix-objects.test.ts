// Every type of object that can come into the feed, held to the rules that STIX calls MUST.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndicatorRecord } from '../../src/domain/indicator.ts';
import { mergeObservation } from '../../src/domain/merge.ts';
import type { Observation } from '../../src/domain/observation.ts';
import { TLP_MARKINGS } from '../../src/domain/vocabulary.ts';
import { preamble } from '../../src/feed/preamble.ts';
import { renderStix } from '../../src/feed/render.ts';
import { stixFaults } from '../support/stix-rules.ts';
import type { StixObject } from '../support/wire.ts';

const INSTALLATION = { secret: Buffer.alloc(32, 3), createdAt: Date.UTC(2026, 0, 1) };
const SEEN_AT = Date.UTC(2026, 1, 1);
const TYPES = [
  'attack-pattern',
  'extension-definition',
  'identity',
  'indicator',
  'location',
  'malware',
  'marking-definition',
  'relationship',
  'sighting',
];
/** Predefined by STIX, and therefore not in the feed. */
const TLP_1 = ['613f2e26-407d-48c7-9eca-b8e91df99dc9', '34098fce-860f-48ae-8e50-ebd3cc5e41da'];
const TLP_1_RESTRICTED = ['f88d31f6-486f-44da-b317-01333bde0b82', '5e57c739-391a-4eb3-b6be-7d15ca92d5ed'];

const OBSERVATION: Observation = {
  type: 'URL',
  value: "http://evil.example/a'b\\c",
  observedAt: SEEN_AT,
  count: 2n ** 64n - 1n,
  source: { id: 's', name: '', reliability: 0.7 },
  group: 'g',
  sensorId: 'sensor',
  sensorType: 'ICS',
  protocol: 'S7',
  categories: ['MALWARE'],
  severity: 'HIGH',
  tags: ['plc'],
  labels: [{ key: 'site', value: '' }],
  tlp: 'GREEN',
  behaviours: [],
  intent: 'write',
  quality: 1,
};

function enriched(observation: Observation): IndicatorRecord {
  const context = { id: '6f1a3b52-90c4-4e0b-8a54-0d6d7d3b9c01', now: SEEN_AT, createdAt: SEEN_AT };
  const merged = mergeObservation(undefined, observation, context);
  assert.ok(merged.ok);
  const enrichment = {
    malwareFamilies: ['Mirai'],
    attackTechniques: ['T0855', 'T9999'],
    geo: { countryCode: 'NL', city: 'Delft', latitude: 52, longitude: 4.4 },
    asn: { number: 64_496, organization: '' },
    aiSummary: 'Writes to controllers.',
    riskScore: 0.5,
    enrichedAt: SEEN_AT,
  };
  const { record } = merged;
  return { ...record, indicator: { ...record.indicator, state: 'ENRICHED', enrichment } };
}

for (const withTlp1 of [false, true]) {
  test(`all types, ${withTlp1 ? 'with' : 'without'} markings of TLP 1`, () => {
    const render = renderStix({ installation: INSTALLATION, collections: [], withTlp1 });
    const entries = [...preamble(INSTALLATION)];
    for (const tlp of TLP_MARKINGS.slice(1)) {
      const record = enriched({ ...OBSERVATION, tlp });
      const current = render(record, true);
      const { feed } = current;
      assert.ok(feed);
      const updatedAt = record.indicator.updatedAt + 1;
      const withdrawn = {
        ...record,
        feed,
        revokedAt: SEEN_AT,
        indicator: { ...record.indicator, updatedAt },
      };
      entries.push(...current.entries, ...render(withdrawn, true).entries);
    }
    const known = withTlp1 ? [...TLP_1, ...TLP_1_RESTRICTED].map((id) => `marking-definition--${id}`) : [];
    const earlier = new Set<string>(known);
    const objects = entries.map(({ object }): StixObject => JSON.parse(object));
    assert.deepEqual([...new Set(objects.map(({ type }) => type))].sort(), TYPES);
    for (const object of objects) {
      assert.deepEqual(stixFaults(object, earlier), []);
      earlier.add(object.id);
    }
    for (const { count } of objects.filter(({ type }) => type === 'sighting'))
      assert.equal(count, 999_999_999);
  });
}
