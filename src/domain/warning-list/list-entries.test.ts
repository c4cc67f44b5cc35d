import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSubstringSearch } from './list-entries.ts';

const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength, maxLength });

test('it finds a text exactly when the value contains one', () => {
  fc.assert(
    fc.property(fc.array(letters(3, 12)), letters(0, 40), (texts, value) => {
      const found = createSubstringSearch(texts).find(value);
      assert.equal(
        found !== undefined,
        texts.some((text) => value.includes(text)),
      );
      assert.ok(found === undefined || (texts.includes(found) && value.includes(found)));
    }),
  );
});

test('texts of less than three characters are left out and counted', () => {
  const search = createSubstringSearch(['', 'a', 'ab', 'abc']);
  assert.equal(search.unread, 3);
  assert.equal(search.find('xabx'), undefined);
  assert.equal(search.find('xabcx'), 'abc');
});
