// The search request of the contract as a request of the search layer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { ServiceError } from '../../domain/errors.ts';
import { MATCH_ALL } from '../../domain/filter.ts';
import { IndicatorService } from '../../protojson/contract.ts';
import { toSearchRequest } from './indicators.ts';

const { input } = IndicatorService.method.searchIndicators;
const map = (json: JsonValue) => toSearchRequest(fromJson(input, json), 'GREEN');

function refusal(json: JsonValue): { reason: string; fields: string[] } {
  try {
    map(json);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return {
      reason: error.details.reason,
      fields: (error.details.violations ?? []).map(({ field }) => field),
    };
  }
  throw new Error('was accepted');
}

test('an empty request asks for everything', () => {
  assert.deepEqual(map({}), { filter: MATCH_ALL, query: '', pageSize: 0, pageToken: '', ceiling: 'GREEN' });
  assert.deepEqual(map({ filter: {} }).filter, MATCH_ALL);
});

test('every member of the filter arrives', () => {
  const { filter } = map({
    filter: {
      types: ['INDICATOR_TYPE_IPV4', 'INDICATOR_TYPE_IPV4'],
      categories: ['THREAT_CATEGORY_UNSPECIFIED', 'THREAT_CATEGORY_SCANNER'],
      minSeverity: 'SEVERITY_MEDIUM',
      minConfidenceScore: 40,
      states: ['INDICATOR_STATE_VERIFIED'],
      tags: ['a', 'b', 'a'],
      lastSeenWindow: { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' },
      sourceIds: ['s', 's'],
      protocols: ['PROTOCOL_OPC_UA'],
      sensorTypes: ['SENSOR_TYPE_ICS'],
      createdAfter: '2026-01-03T00:00:00Z',
      createdBefore: '2026-01-04T00:00:00Z',
      validAt: '2026-01-05T00:00:00Z',
      labels: ['site=north', 'site=north'],
      intents: ['INTENT_WRITE', 'INTENT_UNSPECIFIED'],
      countryCodes: ['de', 'DE'],
      asns: [64496],
      attackTechniques: ['T0855'],
      malwareFamilies: ['Mirai'],
      verdicts: ['VERDICT_SCANNER'],
      includeWithdrawn: true,
    },
  });
  assert.deepEqual(filter, {
    labels: ['site=north'],
    intents: ['WRITE', 'UNSPECIFIED'],
    countryCodes: ['DE'],
    asns: [64_496],
    attackTechniques: ['T0855'],
    malwareFamilies: ['Mirai'],
    verdicts: ['SCANNER'],
    types: ['IPV4'],
    categories: ['UNSPECIFIED', 'SCANNER'],
    minSeverity: 'MEDIUM',
    minConfidenceScore: 40,
    states: ['VERIFIED'],
    tags: ['a', 'b'],
    lastSeenWindow: { start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 0, 2) },
    sourceIds: ['s'],
    protocols: ['OPC_UA'],
    sensorTypes: ['ICS'],
    createdWindow: { start: Date.UTC(2026, 0, 3), end: Date.UTC(2026, 0, 4) },
    validAt: Date.UTC(2026, 0, 5),
    includeWithdrawn: true,
  });
});

test('what is no country code or technique is refused, each with its place', () => {
  const filter = { countryCodes: ['DE', 'Germany', ''], attackTechniques: ['brute force', 'T1110'] };
  assert.deepEqual(refusal({ filter }).fields, [
    'filter.countryCodes[1]',
    'filter.countryCodes[2]',
    'filter.attackTechniques[0]',
  ]);
});

test('the order of creation is the one that needs no name', () => {
  assert.equal('orderBy' in map({ orderBy: 'SEARCH_ORDER_CREATED' }), false);
  assert.equal(map({ orderBy: 'SEARCH_ORDER_SEVERITY' }).orderBy, 'SEVERITY');
});

test('the larger of two confidence floors decides', () => {
  assert.equal(map({ filter: { minConfidence: 70 } }).filter.minConfidenceScore, 70);
  assert.equal(map({ filter: { minConfidence: 70, minConfidenceScore: 60 } }).filter.minConfidenceScore, 70);
  assert.equal(map({ filter: { minConfidence: 0, minConfidenceScore: 60 } }).filter.minConfidenceScore, 60);
});

test('either page size will do; two different ones above zero will not', () => {
  assert.equal(map({ pageSize: 7 }).pageSize, 7);
  assert.equal(map({ pagination: { pageSize: 7 } }).pageSize, 7);
  assert.equal(map({ pageSize: 0, pagination: { pageSize: 7 } }).pageSize, 7);
  assert.equal(map({ pageSize: 7, pagination: { pageSize: 0 } }).pageSize, 7);
  assert.equal(map({ pageSize: 7, pagination: { pageSize: 7, pageToken: 't' } }).pageToken, 't');
  const conflict = { reason: 'CONFLICTING_PAGE_SIZE', fields: ['pageSize', 'pagination.pageSize'] };
  assert.deepEqual(refusal({ pageSize: 7, pagination: { pageSize: 8 } }), conflict);
  assert.deepEqual(refusal({ pageSize: 2_000, pagination: { pageSize: 3_000 } }), conflict);
});

test('a window may be empty but not reversed', () => {
  const window = (start: string, end: string) => ({ filter: { lastSeenWindow: { start, end } } });
  assert.doesNotThrow(() => map(window('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')));
  assert.deepEqual(refusal(window('2026-01-01T00:00:01Z', '2026-01-01T00:00:00Z')).fields, [
    'filter.lastSeenWindow',
  ]);
  const created = { createdAfter: '2026-01-02T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' };
  assert.deepEqual(refusal({ filter: created, pageSize: 1, pagination: { pageSize: 2 } }), {
    reason: 'INVALID_ARGUMENT',
    fields: ['filter.createdAfter', 'pageSize', 'pagination.pageSize'],
  });
});

test('bounds finer than a millisecond hold what they would hold', () => {
  const { filter } = map({
    filter: {
      lastSeenWindow: { start: '2026-01-01T00:00:00.0001Z', end: '2026-01-01T00:00:00.0011Z' },
      validAt: '2026-01-01T00:00:00.0019Z',
    },
  });
  const base = Date.UTC(2026, 0, 1);
  // .001 is the only whole millisecond in [.0001, .0011), and .002 is the first validUntil after .0019.
  assert.deepEqual(filter.lastSeenWindow, { start: base + 1, end: base + 2 });
  assert.equal(filter.validAt, base + 1);
});
