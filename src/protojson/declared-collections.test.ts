// The file of declared collections: its members, and that every fault is named.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ICS_COLLECTION, PARTNER_REPORTS } from '../domain/collection.ts';
import { ServiceError } from '../domain/errors.ts';
import { MATCH_ALL } from '../domain/filter.ts';
import { parseDeclaredCollections } from './declared-collections.ts';

const COLLECTION = {
  id: '0f8d6c2a-7b3e-4d19-9a5c-e1f2a3b4c5d6',
  title: 'Severe',
  description: 'What is severe.',
};

function faultsOf(file: unknown): string[] {
  try {
    parseDeclaredCollections(typeof file === 'string' ? file : JSON.stringify(file));
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return (error.details.violations ?? []).map(({ field }) => field);
  }
  return [];
}

test('a collection with a filter in either spelling of the contract', () => {
  const filter = {
    minSeverity: 'SEVERITY_HIGH',
    sensor_types: ['SENSOR_TYPE_ICS'],
    minConfidenceScore: 60,
    tags: ['plc'],
  };
  assert.deepEqual(parseDeclaredCollections(JSON.stringify([{ ...COLLECTION, alias: 'severe', filter }])), [
    {
      ...COLLECTION,
      alias: 'severe',
      filter: {
        ...MATCH_ALL,
        minSeverity: 'HIGH',
        sensorTypes: ['ICS'],
        minConfidenceScore: 60,
        tags: ['plc'],
      },
    },
  ]);
  assert.deepEqual(parseDeclaredCollections(JSON.stringify([COLLECTION]))[0]?.filter, MATCH_ALL);
  assert.deepEqual(parseDeclaredCollections('[]'), []);
});

test('every fault is named', () => {
  assert.deepEqual(faultsOf('{'), ['file']);
  assert.deepEqual(faultsOf({}), ['file']);
  assert.deepEqual(faultsOf([null]), ['[0]']);
  assert.deepEqual(faultsOf([{}]), ['[0].id', '[0].title', '[0].description']);
  assert.deepEqual(faultsOf([{ ...COLLECTION, title: ' ', description: 'x'.repeat(1_001) }]), [
    '[0].title',
    '[0].description',
  ]);
  assert.deepEqual(faultsOf([{ ...COLLECTION, id: 'x', alias: 'a/b', colour: 'red' }]), [
    '[0].id',
    '[0].alias',
    '[0].colour',
  ]);
  assert.deepEqual(faultsOf([{ ...COLLECTION, filter: { minSeverty: 'SEVERITY_HIGH' } }]), [
    '[0].filter.minSeverty',
  ]);
  assert.deepEqual(
    faultsOf([{ ...COLLECTION, filter: { lastSeenWindow: { strat: '2026-01-01T00:00:00Z' } } }]),
    ['[0].filter.lastSeenWindow.strat'],
  );
  for (const filter of [null, [], 'all', 1]) assert.notDeepEqual(faultsOf([{ ...COLLECTION, filter }]), []);
  assert.deepEqual(faultsOf([{ ...COLLECTION, filter: { states: ['NEW'], minConfidence: 101 } }]), [
    '[0].filter.states[0]',
    '[0].filter.minConfidence',
  ]);
  assert.deepEqual(
    faultsOf([
      {
        ...COLLECTION,
        filter: { createdAfter: '2026-02-01T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' },
      },
    ]),
    ['[0].filter.createdAfter'],
  );
});

test('an id, a title or an alias belongs to one collection only', () => {
  assert.deepEqual(faultsOf([COLLECTION, COLLECTION]), ['[1]', '[1]']);
  assert.deepEqual(faultsOf([{ ...COLLECTION, title: 'Service Global Feed' }]), ['[0]']);
  assert.deepEqual(faultsOf([{ ...COLLECTION, id: 'x', title: 'Service Global Feed' }]), ['[0].id', '[0]']);
  // One collection may use a name twice.
  assert.deepEqual(faultsOf([{ ...COLLECTION, title: 'severe', alias: 'severe' }]), []);
  assert.deepEqual(faultsOf([{ ...COLLECTION, alias: COLLECTION.id }]), []);
  assert.deepEqual(
    faultsOf([
      { ...COLLECTION, title: 'severe', alias: 'severe' },
      { ...COLLECTION, id: COLLECTION.id.replace('0', '1'), title: 'x', alias: 'severe' },
    ]),
    ['[1]'],
  );
  for (const { id, title, alias } of [ICS_COLLECTION, PARTNER_REPORTS]) {
    assert.deepEqual(faultsOf([{ ...COLLECTION, alias }]), ['[0]']);
    assert.deepEqual(faultsOf([{ ...COLLECTION, id, title }]), ['[0]', '[0]']);
  }
});
