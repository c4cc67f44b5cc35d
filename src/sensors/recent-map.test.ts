import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentMap } from './recent-map.ts';

test('the entry set longest ago goes first', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  assert.equal(map.get('b'), undefined);
  assert.equal(map.get('a'), 3);
  assert.equal(map.get('c'), 4);
});

test('an entry that is deleted makes room', () => {
  const map = new RecentMap<string, number>(1);
  map.set('a', 1);
  map.delete('a');
  map.set('b', 2);
  assert.equal(map.get('a'), undefined);
  assert.equal(map.get('b'), 2);
});
