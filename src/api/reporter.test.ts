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
    group: 'key-1',
    source: { id: 'key-1', name: 'Substation 4', reliability: 0.6 },
    ceiling: 'AMBER',
  });
});

test('a rotated key reports as the first of its line', () => {
  const { group, source } = toReporter({ ...CALLER, id: 'key-3', reportsAs: 'key-1' });
  assert.deepEqual([group, source.id], ['key-1', 'key-1']);
});
