// A cursor opens to the sealed values, or is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../domain/errors.ts';
import { type Cursor, cursorCodec } from './cursor.ts';
import type { FeedFilter } from './feed-filter.ts';

const codec = cursorCodec(Buffer.alloc(32, 3));
const SCOPE = 'objects';

const micros = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const list = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 5 });
const filters: fc.Arbitrary<FeedFilter> = fc.record(
  {
    ids: list,
    types: list,
    versions: fc.oneof(fc.constantFrom('last', 'first', 'all'), list),
    specVersions: list,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<FeedFilter>;
const cursors: fc.Arbitrary<Cursor> = fc.record(
  {
    until: micros,
    last: fc.record({ place: micros, dateAdded: micros }, { noNullPrototype: true }),
    addedAfter: micros,
    filter: filters,
  },
  { requiredKeys: ['until', 'last', 'filter'] },
) as fc.Arbitrary<Cursor>;

const LAST = { place: 1_000, dateAdded: 900 };

const refused = (error: unknown) => error instanceof ServiceError && error.code === 'invalid_argument';

test('a cursor opens as it was sealed, with its filter resent or not', () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      const token = codec.seal(cursor, SCOPE);
      assert.match(token, /^[\w-]+$/);
      assert.deepEqual(codec.open(token, SCOPE, {}), { ...cursor, filter: { ...cursor.filter } });
      assert.deepEqual(codec.open(token, SCOPE, cursor.filter).filter, { ...cursor.filter });
    }),
  );
});

test('a cursor opens on every node of the installation', () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      const token = codec.seal(cursor, SCOPE);
      assert.deepEqual(cursorCodec(Buffer.alloc(32, 3)).open(token, SCOPE, cursor.filter).last, cursor.last);
    }),
  );
});

test('a token with any character changed, removed or added is refused', () => {
  const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n%'];
  fc.assert(
    fc.property(cursors, fc.nat(), fc.constantFrom(...characters), (cursor, place, character) => {
      const token = codec.seal(cursor, SCOPE);
      const at = place % token.length;
      const tampered = [
        token.slice(0, at) + character + token.slice(at + 1),
        token.slice(0, at) + token.slice(at + 1),
        token.slice(0, at) + character + token.slice(at),
        token + character,
      ];
      for (const other of tampered) {
        if (other !== token) assert.throws(() => codec.open(other, SCOPE, {}), refused, other);
      }
    }),
  );
});

test('a token with any single bit flipped is refused', () => {
  const token = codec.seal({ until: 2_000, last: LAST, filter: { types: ['indicator'] } }, SCOPE);
  const bytes = Buffer.from(token, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(() => codec.open(flipped.toString('base64url'), SCOPE, {}), refused, `bit ${bit}`);
  }
});

test('anything that is not a token is refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
      assert.throws(() => codec.open(text, SCOPE, {}), refused);
    }),
  );
});

test('a token of another listing or another installation is refused', () => {
  const token = codec.seal({ until: 2_000, last: LAST, filter: {} }, SCOPE);
  assert.throws(() => codec.open(token, 'manifest', {}), refused);
  assert.throws(() => cursorCodec(Buffer.alloc(32, 4)).open(token, SCOPE, {}), refused);
});

test('a token tells nothing of what lies behind the page', () => {
  const token = codec.seal({ until: 1_767_225_600_123_456, last: LAST, filter: {} }, SCOPE);
  assert.equal(Buffer.from(token, 'base64url').includes('1767225600123456'), false);
  // Nor does it show whether the end has changed.
  const again = codec.seal({ until: 1_767_225_600_123_456, last: LAST, filter: {} }, SCOPE);
  assert.notEqual(again, token);
  assert.equal(again.length, token.length);
});

test('a filter that is resent must be the one of the walk', () => {
  const walked: FeedFilter = { types: ['indicator', 'identity'], specVersions: ['2.1'] };
  const token = codec.seal({ until: 2_000, last: LAST, filter: walked }, SCOPE);
  for (const resent of [{}, walked, { types: walked.types! }, { versions: 'last' as const }]) {
    assert.deepEqual(codec.open(token, SCOPE, resent).filter, walked);
  }
  for (const resent of [{ types: ['indicator'] }, { ids: ['x'] }, { ...walked, versions: 'all' as const }]) {
    assert.throws(() => codec.open(token, SCOPE, resent), refused);
  }
});

test('a long filter travels as a fingerprint and has to be resent', () => {
  const filter = {
    ids: Array.from({ length: 100 }, (_, index) => `indicator--${String(index).padStart(36, '0')}`),
  };
  const token = codec.seal({ until: 2_000, last: LAST, filter }, SCOPE);
  assert.ok(token.length < 200);
  assert.deepEqual(codec.open(token, SCOPE, filter).filter, filter);
  assert.throws(() => codec.open(token, SCOPE, {}), refused);
  assert.throws(() => codec.open(token, SCOPE, { ids: filter.ids.slice(1) }), refused);
});
