import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidenceOf } from './evidence.ts';

test('text is bounded, well-formed and without NUL', () => {
  assert.deepEqual(evidenceOf({ 'http.path': 'a\0b', 'http.body': `${'x'.repeat(1_023)}𝄞` }), {
    'http.path': 'a\u{fffd}b',
    'http.body': `${'x'.repeat(1_023)}\u{fffd}`,
  });
});

test('what has no value is left out', () => {
  assert.deepEqual(evidenceOf({ 'http.path': undefined, 'http.body': '' }), {});
});
