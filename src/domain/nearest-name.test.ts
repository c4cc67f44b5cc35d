import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from './nearest-name.ts';

const NAMES = ['query', 'filter', 'pagination', 'pageSize', 'minSeverity'];

test('the nearest name, whatever its case and separators', () => {
  const cases = { fliter: 'filter', PAGE_SIZE: 'pageSize', 'page-size': 'pageSize', severity: 'minSeverity' };
  for (const [text, name] of Object.entries(cases)) assert.equal(nearestName(text, NAMES), name, text);
});

test('the first of several that are equally near', () => {
  assert.equal(nearestName('a', ['b', 'c']), 'b');
});

test('none without names, beyond the share, and for long text', () => {
  assert.equal(nearestName('a', []), undefined);
  assert.equal(nearestName('vendor', NAMES, 0.5), undefined);
  assert.equal(nearestName('filters', NAMES, 0.5), 'filter');
  assert.equal(nearestName('f'.repeat(65), NAMES), undefined);
});
