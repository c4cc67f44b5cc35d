import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasDuplicateMembers } from './token-json.ts';

const duplicates = (text: string): boolean => hasDuplicateMembers(text, JSON.parse(text));

describe('hasDuplicateMembers', () => {
  it('finds a name given twice, at any depth and however it is written', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '{ "a" : 1 , "b" : { "c" : 1 , "c"\n:2 } }',
      '[[{"":0,"":0}]]',
      '{"__proto__":1,"__proto__":2}',
      '{"a":{"x":1},"a":{}}',
      `${'['.repeat(5_000)}{"a":1,"a":2}${']'.repeat(5_000)}`,
    ]) {
      assert.equal(duplicates(text), true, text.slice(0, 40));
    }
  });

  it('finds none where names differ or stand in different objects', () => {
    for (const text of [
      '{}',
      '[]',
      'null',
      '"a:"',
      '{"a":1,"b":1}',
      '{"a":{"a":{"a":1}}}',
      '[{"a":1},{"a":1}]',
      '{"a":"\\"b\\":1","c":"x\\\\"}',
      '{"a":"\\"a\\":"}',
      '{"__proto__":{"__proto__":1}}',
    ]) {
      assert.equal(duplicates(text), false, text);
    }
  });

  it('says no for everything JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (text, space) => {
        assert.equal(duplicates(JSON.stringify(JSON.parse(text), null, space)), false);
      }),
    );
  });

  it('says yes when any member is written once more', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, pick) => {
        const text = JSON.stringify(object);
        const names = Object.keys(JSON.parse(text) as object);
        const name = names[pick % names.length] ?? '';
        assert.equal(duplicates(`{${JSON.stringify(name)}:0,${text.slice(1)}`), true);
      }),
    );
  });
});
