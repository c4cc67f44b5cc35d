import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VersionMatch } from '../feed.ts';
import { versionSelectors } from './version-selectors.ts';

const NONE = { last: false, first: false, all: false, versions: [] };

test('a query selects by words, by timestamps, or by both', () => {
  const cases: readonly [VersionMatch | undefined, object][] = [
    [undefined, { last: true }],
    ['last', { last: true }],
    ['first', { first: true }],
    ['all', { all: true }],
    [[], {}],
    [['last'], { last: true }],
    [['first', 'last'], { first: true, last: true }],
    [['2026-03-14T09:26:53.589Z'], { versions: ['2026-03-14T09:26:53.589Z'] }],
    [['2026-03-14T09:26:53.589Z', 'first'], { first: true, versions: ['2026-03-14T09:26:53.589Z'] }],
  ];
  for (const [match, selected] of cases) assert.deepEqual(versionSelectors(match), { ...NONE, ...selected });
});
