import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { INDICATOR_TYPES } from '../vocabulary.ts';
import { indicatorId, uuidFrom } from './identity.ts';

const SECRET = Buffer.alloc(32, 7);
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const text = fc.string({ unit: fc.constantFrom('\0', '0', '1', '2', ':', 'a', 'é'), maxLength: 8 });

test('is a UUID of version 4 form, always the same one', () => {
  fc.assert(
    fc.property(text, text, (kind, key) => {
      const id = uuidFrom(SECRET, kind, key);
      assert.match(id, UUID_V4);
      assert.equal(uuidFrom(Buffer.from(SECRET), kind, key), id);
    }),
  );
});

test('stored ids keep their value: the recipe must not change', () => {
  assert.equal(indicatorId(SECRET, 'IPV4', '192.0.2.1'), '06619a7c-5694-4143-ba63-a5a6ad9968e6');
});

test('another kind, key or secret is another id, wherever the border between kind and key lies', () => {
  fc.assert(
    fc.property(text, text, text, text, (kind, key, otherKind, otherKey) => {
      fc.pre(kind !== otherKind || key !== otherKey);
      assert.notEqual(uuidFrom(SECRET, kind, key), uuidFrom(SECRET, otherKind, otherKey));
    }),
  );
  assert.notEqual(uuidFrom(SECRET, 'a\0b', 'c'), uuidFrom(SECRET, 'a', 'b\0c'));
  assert.notEqual(uuidFrom(SECRET, 'a', 'b'), uuidFrom(Buffer.alloc(32, 8), 'a', 'b'));
});

test('one value of two types is two indicators', () => {
  const ids = INDICATOR_TYPES.map((type) => indicatorId(SECRET, type, '0123456789abcdef0123456789abcdef'));
  assert.equal(new Set(ids).size, INDICATOR_TYPES.length);
});

test('all four variant digits and all bits of the rest occur', () => {
  const ids = Array.from({ length: 256 }, (_, index) => uuidFrom(SECRET, 'test', String(index)));
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual([...new Set(ids.map((id) => id.charAt(19)))].sort(), ['8', '9', 'a', 'b']);
});
