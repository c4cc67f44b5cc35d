import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CEILINGS } from '../../domain/audience.ts';
import { markingNumber } from './markings.ts';

test('the numbers ascend with the markings, and a missing marking counts as RED', () => {
  assert.deepEqual(CEILINGS.map(markingNumber), [1, 2, 3, 4, 5]);
  assert.equal(markingNumber('UNSPECIFIED'), markingNumber('RED'));
});
