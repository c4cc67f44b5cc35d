import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareText, locate, withItems } from './sorted-list.ts';

test('adding is a sorted union', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (first, second) => {
      const list = withItems(withItems([], first, compareText), second, compareText);
      assert.deepEqual(list, [...new Set([...first, ...second])].sort());
    }),
  );
});

test('adding nothing new gives the same list, adding something another one', () => {
  const list = ['a', 'c'];
  assert.equal(withItems(list, ['c', 'a', 'c'], compareText), list);
  assert.deepEqual(withItems(list, ['b'], compareText), ['a', 'b', 'c']);
  assert.deepEqual(list, ['a', 'c']);
});

test('an item is located, or the place where it belongs', () => {
  assert.equal(locate(['a', 'c'], 'c', compareText), 1);
  assert.equal(locate(['a', 'c'], 'b', compareText), -2);
  assert.equal(locate([], 'b', compareText), -1);
});
