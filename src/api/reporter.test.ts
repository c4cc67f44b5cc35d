// The caller as a reporter.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../gateway/caller.ts';
import { toReporter } from './reporter.ts';

const CALLER: Caller = {
  credential: 'sensor-key',
  id: 'key-1',
  account: 'plant',
  actor: 'key-1',
  name: 'Substation 4',
  scopes: new Set(),
  ceiling: 'AMBER',
  reliability: 0.6,
};
const REPORTER = toReporter(CALLER);

test('a credential is one group and one source', () => {
  assert.deepEqual(REPORTER, {
    account: 'plant',
    id: 'key-1',
    group: 'key-1',
    source: { id: 'key-1', name: 'Substation 4', reliability: 0.6 },
    title: 'key Substation 4',
    sources: [],
    ceiling: 'AMBER',
  });
});

test('a rotated key reports as the first of its line', () => {
  const { id, group, source } = toReporter({ ...CALLER, id: 'key-3', reportsAs: 'key-1' });
  assert.deepEqual([id, group, source.id], ['key-1', 'key-1', 'key-1']);
});

test('a key that another one made is a source of its own in the group of that one', () => {
  const { id, group, source } = toReporter({ ...CALLER, group: 'key-0' });
  assert.deepEqual([id, group, source.id], ['key-1', 'key-0', 'key-1']);
});

test('the sources of a key are those of its reports', () => {
  assert.deepEqual(toReporter({ ...CALLER, sources: ['CISA'] }).sources, ['CISA']);
});

test('the name of a credential looks like no source of another, and its id begins no other', () => {
  const { source, title, group } = toReporter({
    ...CALLER,
    credential: 'jwt',
    id: 'https://idp.example|ann#CISA',
    name: 'CISA (reported by key soc)',
  });
  assert.equal(source.id, 'https://idp.example|ann%23CISA');
  assert.equal(group, 'https://idp.example|ann#CISA');
  assert.deepEqual([source.name, title], ['CISA [reported by key soc]', 'user CISA [reported by key soc]']);
});
