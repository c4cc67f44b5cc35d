// Strings have the values of JSON.parse, a fault has its position, and neither takes long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonReader, JsonSyntaxError } from './json-reader.ts';

function outcomeOf(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

test('a string says what JSON.parse says it does, except for half a pair of surrogates', () => {
  const pieces = [
    '"',
    '\\',
    '\\\\',
    '\\"',
    '\\n',
    '\\/',
    '\\u00e9',
    '\\ud83d',
    '\\ude00',
    '\\u12',
    '\\x',
    'é',
    '😀',
    'u',
    '\n',
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => `"${parts.join('')}"`);
  fc.assert(
    fc.property(texts, (text) => {
      const reader = new JsonReader(text);
      const value = outcomeOf(() => {
        const read = reader.readString();
        reader.end();
        return read;
      });
      const parsed = outcomeOf(() => JSON.parse(text));
      assert.equal(value, parsed?.isWellFormed() === true ? parsed : undefined);
    }),
    { numRuns: 2_000 },
  );
});

test('a wrong string is told where', () => {
  const places: readonly (readonly [text: string, place: number, expected: string])[] = [
    ['"a', 3, 'a closing quote'],
    ['"a\\', 3, 'a known escape sequence'],
    ['"a\\x"', 3, 'a known escape sequence'],
    ['"\\n\\u00g0"', 4, 'four hexadecimal digits'],
    ['"\\n\\ud800"', 10, 'a pair of surrogates'],
    ['"\\n\n"', 4, 'a closing quote'],
    ['"\\\n"', 2, 'a known escape sequence'],
  ];
  for (const [text, place, expected] of places) {
    assert.throws(() => new JsonReader(text).readString(), {
      constructor: JsonSyntaxError,
      message: `malformed JSON at character ${place}: expected ${expected}`,
    });
  }
});
