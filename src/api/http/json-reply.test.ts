// JSON lists as bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonList } from './json-reply.ts';

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
    }),
  );
});
