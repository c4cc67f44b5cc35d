// Random messages of any type of the contract, for property tests.

import { create, type DescField, type DescMessage, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { isImplicit, isTimestamp } from './field-types.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 }).map((value) => value.replaceAll('\0', ''));

/** Doubles without NaN, which equals nothing, and -0, which JSON.stringify cannot write. */
const double = fc.double({ noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value));

const timestamp = fc.record({
  seconds: fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }),
  nanos: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 999 }).map((milliseconds) => milliseconds * 1_000_000),
    fc.integer({ min: 0, max: 999_999_999 }),
  ),
});

export function arbitraryMessage<Desc extends DescMessage>(desc: Desc): fc.Arbitrary<MessageShape<Desc>> {
  return arbitraryInit(desc).map((init) => create(desc, init as never));
}

function arbitraryInit(desc: DescMessage): fc.Arbitrary<object> {
  if (isTimestamp(desc)) return timestamp;
  const members = desc.fields.map((field) => [field.localName, arbitraryField(field)] as const);
  const requiredKeys = desc.fields
    .filter((field) => field.fieldKind !== 'message' && isImplicit(field))
    .map(({ localName }) => localName);
  return fc.record(Object.fromEntries(members), { requiredKeys });
}

function arbitraryField(field: DescField): fc.Arbitrary<unknown> {
  const element = arbitraryElement(field);
  if (field.fieldKind === 'list') return fc.array(element, { maxLength: 3 });
  if (field.fieldKind === 'map') {
    return fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      element,
      { maxKeys: 3 },
    );
  }
  return element;
}

function arbitraryElement(field: DescField): fc.Arbitrary<unknown> {
  if (field.message !== undefined) return arbitraryInit(field.message);
  if (field.enum !== undefined) return fc.constantFrom(...field.enum.values.map(({ number }) => number));
  if (field.scalar === ScalarType.STRING) return text;
  if (field.scalar === ScalarType.BOOL) return fc.boolean();
  if (field.scalar === ScalarType.DOUBLE) return double;
  if (field.scalar === ScalarType.UINT64) return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  return fc.nat({ max: 2 ** 32 - 1 });
}
