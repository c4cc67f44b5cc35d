// JSON lists as bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonList, jsonParts } from './json-reply.ts';
import { joinParts, lengthOfParts } from './raw-answer.ts';

test('the bytes are those of the list within its surroundings, whatever is in it', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.string({ unit: 'grapheme' }), (values, name) => {
      const before = `{${JSON.stringify(name)}:`;
      const bytes = jsonList(
        before,
        values.map((value) => JSON.stringify(value)),
        ',"ж":1}',
      );
      assert.equal(bytes.toString(), `${before}${JSON.stringify(values)},"ж":1}`);
      const mixed = values.map((value, index) => {
        const text = JSON.stringify(value);
        return index % 2 === 0 ? text : Buffer.from(text);
      });
      const parts = jsonParts(before, mixed, ',"ж":1}');
      assert.deepEqual([joinParts(parts), lengthOfParts(parts)], [bytes, bytes.length]);
    }),
  );
});
