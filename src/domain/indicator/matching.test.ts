import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type IndicatorFilter, MATCH_ALL } from '../filter.ts';
import { parseTextQuery } from '../text-query.ts';
import { SEVERITIES, THREAT_CATEGORIES } from '../vocabulary.ts';
import type { Indicator } from './indicator.ts';
import { matches, matchesText } from './matching.ts';

const INDICATOR: Indicator = {
  id: '00000000-0000-4000-8000-000000000000',
  type: 'DOMAIN',
  value: 'c2.evil.example',
  categories: ['MALWARE', 'BOTNET'],
  severity: 'HIGH',
  confidenceScore: 70,
  tlp: 'GREEN',
  state: 'ENRICHED',
  firstSeen: 1_000,
  lastSeen: 2_000,
  validUntil: 5_000,
  sources: [
    { id: 'sensor-1', name: 'Sensor 1', reliability: 0.7, reportedAt: 1_000 },
    { id: 'sensor-2', name: 'Sensor 2', reliability: 0.7, reportedAt: 2_000 },
  ],
  sightings: [],
  enrichment: {
    malwareFamilies: [],
    attackTechniques: [],
    aiSummary: 'Writes coils over Modbus/TCP; seen with the Bot-Net 7.',
    enrichedAt: 3_000,
  },
  tags: ['ICS', 'Water Plant', 'x'],
  labels: [],
  createdAt: 3_000,
  updatedAt: 4_000,
  protocol: 'MODBUS',
  sensorType: 'ICS',
};

function passes(filter: Partial<IndicatorFilter>, change: Partial<Indicator> = {}): boolean {
  return matches({ ...INDICATOR, ...change }, { ...MATCH_ALL, ...filter });
}

test('every member filters, and a list matches by any of its values', () => {
  assert.ok(passes({}));
  assert.ok(passes({ types: ['URL', 'DOMAIN'] }) && !passes({ types: ['URL'] }));
  assert.ok(passes({ categories: ['SPAM', 'BOTNET'] }) && !passes({ categories: ['SPAM'] }));
  assert.ok(passes({ states: ['ENRICHED'] }) && !passes({ states: ['RAW'] }));
  assert.ok(passes({ tags: ['a', 'ICS'] }) && !passes({ tags: ['a'] }));
  assert.ok(passes({ sourceIds: ['sensor-2'] }) && !passes({ sourceIds: ['sensor-3'] }));
  assert.ok(passes({ protocols: ['MODBUS', 'S7'] }) && !passes({ protocols: ['S7'] }));
  assert.ok(passes({ sensorTypes: ['ICS'] }) && !passes({ sensorTypes: ['NETWORK'] }));
  assert.ok(passes({ minConfidenceScore: 70 }) && !passes({ minConfidenceScore: 71 }));
  assert.ok(!passes({ types: ['DOMAIN'], states: ['RAW'] }));
});

test('UNSPECIFIED in a list finds what has no value there', () => {
  assert.ok(passes({ categories: ['UNSPECIFIED'] }, { categories: [] }));
  assert.ok(passes({ categories: ['UNSPECIFIED'] }, { categories: ['UNSPECIFIED'] }));
  assert.ok(!passes({ categories: ['UNSPECIFIED'] }));
  assert.ok(!passes({ categories: ['MALWARE'] }, { categories: [] }));
  assert.ok(passes({ protocols: ['UNSPECIFIED'] }, { protocol: 'UNSPECIFIED' }));
  assert.ok(!passes({ protocols: ['UNSPECIFIED'] }));
});

test('minSeverity is a floor, and none when UNSPECIFIED', () => {
  const severity = fc.constantFrom(...SEVERITIES);
  fc.assert(
    fc.property(severity, severity, (floor, actual) => {
      const above = SEVERITIES.indexOf(actual) >= SEVERITIES.indexOf(floor);
      assert.equal(passes({ minSeverity: floor }, { severity: actual }), above);
    }),
  );
});

test('windows contain their start and not their end', () => {
  for (const [name, at] of [
    ['lastSeenWindow', INDICATOR.lastSeen],
    ['createdWindow', INDICATOR.createdAt],
  ] as const) {
    assert.ok(passes({ [name]: { start: at } }) && !passes({ [name]: { start: at + 1 } }));
    assert.ok(passes({ [name]: { end: at + 1 } }) && !passes({ [name]: { end: at } }));
    assert.ok(passes({ [name]: { start: at, end: at + 1 } }) && !passes({ [name]: { start: at, end: at } }));
  }
});

test('validAt leaves out what is stale at that instant', () => {
  assert.ok(passes({ validAt: 4_999 }) && !passes({ validAt: 5_000 }));
  const { validUntil: _, ...everlasting } = INDICATOR;
  assert.ok(matches(everlasting, { ...MATCH_ALL, validAt: 9_000_000 }));
});

test('a further value in a list never loses a match, a further member never gains one', () => {
  const categories = fc.uniqueArray(fc.constantFrom(...THREAT_CATEGORIES), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(categories, categories, fc.nat(100), (some, more, floor) => {
      if (passes({ categories: some })) assert.ok(passes({ categories: [...some, ...more] }));
      if (passes({ categories: some, minConfidenceScore: floor })) assert.ok(passes({ categories: some }));
    }),
  );
});

function finds(query: string, change: Partial<Indicator> = {}): boolean {
  return matchesText({ ...INDICATOR, ...change }, parseTextQuery(query));
}

test('a term is part of the value or of a tag, in any case', () => {
  for (const query of [
    '',
    'evil',
    'EVIL.E',
    'c2[.]evil[.]example',
    'ter pla'.slice(0, 3),
    '"water plant"',
    'evil water',
  ]) {
    assert.ok(finds(query), query);
  }
  for (const query of ['good', 'evil[.]example', 'evil good', '"plant water"', 'icswater'])
    assert.ok(!finds(query), query);
});

test('an observable is found as a whole host or part of a path, and never in a summary', () => {
  const url = { type: 'URL', value: 'http://c2.evil.example/bins/a.sh' } as const;
  for (const query of ['c2.evil.example', 'A[.]sh', 'bins/a.sh', 'c2.evil.example/bins/a.sh'])
    assert.ok(finds(query, url), query);
  for (const query of ['evil.example', 'http://c2.evil.example/']) assert.ok(!finds(query, url), query);
  assert.ok(finds('a.sh', { tags: ['a.sh'] }));
  assert.ok(!finds('a.sh', { tags: ['a.sh and more'] }));
});

test('or all its words are whole words of the summary, in any order', () => {
  for (const query of ['modbus', '"coils writes"']) assert.ok(finds(query), query);
  // With a slash or a dash, in one piece.
  for (const query of ['Modbus/TCP', 'bot-net']) assert.ok(finds(query), query);
  for (const query of ['tcp/modbus', 'odbus/tcp', 'bot-ne']) assert.ok(!finds(query), query);
  for (const query of ['modb', 'coil', 'modbus/udp', '...', '"modbus udp"']) assert.ok(!finds(query), query);
  const { enrichment: _, ...raw } = INDICATOR;
  assert.ok(!matchesText(raw, parseTextQuery('modbus')));
});

test('a term of fewer than three characters matches by prefix only', () => {
  for (const query of ['c2', 'c', 'ic', 'wa', 'x', '7', 'mo', 'bo']) assert.ok(finds(query), query);
  for (const query of ['2', 'vi', 'cs', 'la', 'od', '77']) assert.ok(!finds(query), query);
});

test('characters are counted as people count them', () => {
  // Two characters of two UTF-16 units each are still a prefix search.
  assert.ok(finds('💧💧', { tags: ['💧💧plant'] }));
  assert.ok(!finds('💧💧', { tags: ['plant💧💧'] }));
  assert.ok(finds('💧💧💧', { tags: ['plant💧💧💧'] }));
});

test('every term has to match, so a query finds no more than each of its terms', () => {
  const word = fc.constantFrom('evil', 'c2', 'modbus', 'ics', 'good', 'zz', 'wa');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (words) => {
      assert.equal(
        finds(words.join(' ')),
        words.every((each) => finds(each)),
      );
    }),
  );
});
