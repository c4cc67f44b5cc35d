import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AddressRange, contains, formatCidr, parseCidr, rangeOf } from './address.ts';
import { createAddressIndex } from './address-index.ts';

/** Small ranges from few bytes, so that they nest, repeat, touch and share ends. */
const anyRange: fc.Arbitrary<AddressRange> = fc.constantFrom(4, 16).chain((length) => {
  const byte = fc.constantFrom(0, 128, 255);
  const prefix = fc.constantFrom(0, 8, 9, 8 * length - 8, 8 * length - 1, 8 * length);
  return fc
    .tuple(byte, byte, prefix)
    .map(([first, last, bits]) => rangeOf([first, ...new Array<number>(length - 2).fill(last), last], bits));
});

function holds(outer: AddressRange, inner: AddressRange): boolean {
  return outer.prefix <= inner.prefix && contains(outer, inner.network);
}

function range(text: string): AddressRange {
  const parsed = parseCidr(text);
  assert.ok(parsed, text);
  return parsed;
}

test('the ranges around others are those that a look at each of them finds', () => {
  fc.assert(
    fc.property(fc.array(anyRange, { maxLength: 40 }), anyRange, (ranges, wanted) => {
      const indexed = ranges.map((one, owner) => ({ range: one, owner }));
      const found = createAddressIndex(indexed).around(wanted);
      const expected = indexed.filter((one) => holds(one.range, wanted));
      assert.deepEqual(found.map(({ owner }) => owner).sort(), expected.map(({ owner }) => owner).sort());
      const prefixes = found.map((one) => one.range.prefix);
      assert.deepEqual(
        prefixes,
        prefixes.toSorted((a, b) => b - a),
        'innermost first',
      );
    }),
  );
});

test('the smaller ranges inside of others too, once for each owner', () => {
  fc.assert(
    fc.property(
      fc.array(anyRange, { maxLength: 40 }),
      anyRange,
      fc.integer({ min: 1, max: 9 }),
      (ranges, wanted, owners) => {
        const indexed = ranges.map((one, place) => ({ range: one, owner: place % owners }));
        const index = createAddressIndex(indexed);
        const inside = indexed.filter((one) => one.range.prefix > wanted.prefix && holds(wanted, one.range));
        const found = index.inside(wanted, owners).map(({ owner }) => owner);
        assert.deepEqual(found.sort(), [...new Set(inside.map(({ owner }) => owner))].sort());
        assert.ok(index.inside(wanted, 1).length <= 1);
      },
    ),
  );
});

test('single addresses at the edge of a range, twice', () => {
  const texts = ['192.0.2.254/31', '192.0.2.254/32', '192.0.2.255/32', '192.0.2.255/32'];
  const index = createAddressIndex(texts.map((text, owner) => ({ range: range(text), owner })));
  const owners = (text: string) => index.around(range(text)).map(({ owner }) => owner);
  assert.deepEqual(owners('192.0.2.254/32'), [1, 0]);
  assert.deepEqual(owners('192.0.2.255/32').sort(), [0, 2, 3]);
});

test('worked example: nested, equal and neighbouring ranges', () => {
  const texts = ['0.0.0.0/0', '192.0.2.0/24', '192.0.2.0/24', '192.0.2.128/25', '192.0.3.0/24', '::/0'];
  const index = createAddressIndex(texts.map((text, owner) => ({ range: range(text), owner })));
  const around = (text: string) => index.around(range(text)).map((one) => formatCidr(one.range));
  assert.deepEqual(around('192.0.2.1/32'), ['192.0.2.0/24', '192.0.2.0/24', '0.0.0.0/0']);
  assert.deepEqual(around('192.0.2.255/32').length, 4);
  assert.deepEqual(around('192.0.4.0/32'), ['0.0.0.0/0']);
  assert.deepEqual(around('2001:db8::/32'), ['::/0']);
  assert.deepEqual(
    index.inside(range('192.0.2.0/23'), 9).map(({ owner }) => owner),
    [1, 2, 3, 4],
  );
});
