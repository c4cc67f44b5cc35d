import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toRfc3339 } from './instant.ts';

test('an instant is written as Date writes it, from year 1 to year 9999', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        assert.equal(toRfc3339(date.getTime()), date.toISOString());
      },
    ),
  );
});
