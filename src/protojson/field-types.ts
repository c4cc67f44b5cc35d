// The field types of the contract: defaults, ranges, and numbers as ProtoJSON writes them.

import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, TimestampSchema } from '@bufbuild/protobuf/wkt';

/** A message that is being built. Its members are those of the generated type. */
export type Draft = Record<string, unknown>;

/**
 * A factory of the empty message, as protobuf-es makes it: implicit scalars have their defaults, lists and maps are empty,
 * everything else is absent. Maps have no prototype, because their keys come from outside.
 */
export function draftFactory(message: DescMessage): () => Draft {
  const empty: Draft = { $typeName: message.typeName };
  const lists: string[] = [];
  const maps: string[] = [];
  for (const field of message.fields) {
    const name = field.localName;
    if (field.fieldKind === 'list') lists.push(name);
    else if (field.fieldKind === 'map') maps.push(name);
    else if (field.fieldKind === 'message' || !isImplicit(field)) continue;
    else empty[name] = field.fieldKind === 'enum' ? 0 : defaultOf(field.scalar);
  }
  // A copy keeps the shape of the object, so the engine reads its members fast.
  return () => {
    const draft = { ...empty };
    for (const name of lists) draft[name] = [];
    for (const name of maps) draft[name] = Object.create(null);
    return draft;
  };
}

/** Whether JSON always has the field: it is not a message and not declared `optional`. */
export function isImplicit(field: DescField): boolean {
  return field.presence === FeatureSet_FieldPresence.IMPLICIT;
}

export function isTimestamp(message: DescMessage): boolean {
  return message.typeName === TimestampSchema.typeName;
}

interface WholeRange {
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly wide: boolean;
}

/** The whole-number types. Wide ones are bigint in code and strings in JSON. */
export const WHOLE_RANGES: ReadonlyMap<ScalarType, WholeRange> = new Map([
  [ScalarType.INT32, { minimum: -(2n ** 31n), maximum: 2n ** 31n - 1n, wide: false }],
  [ScalarType.UINT32, { minimum: 0n, maximum: 2n ** 32n - 1n, wide: false }],
  [ScalarType.INT64, { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n, wide: true }],
  [ScalarType.UINT64, { minimum: 0n, maximum: 2n ** 64n - 1n, wide: true }],
]);

function defaultOf(scalar: ScalarType): unknown {
  if (scalar === ScalarType.STRING) return '';
  if (scalar === ScalarType.BOOL) return false;
  if (scalar === ScalarType.DOUBLE) return 0;
  if (scalar === ScalarType.BYTES) throw new Error('bytes fields are not supported');
  return WHOLE_RANGES.get(scalar)?.wide === true ? 0n : 0;
}

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const SHORT_INTEGER = /^(?:0|[1-9]\d{0,14})$/;
/** Digits of the largest 64-bit number. */
const MAX_DIGITS = 20;

/**
 * The whole number that a text holds. Numbers are judged by value, exactly: `70`, `70.0` and `7e1` are one number, and no
 * digit of a uint64 is lost. Undefined for other text, for a fraction, and far beyond 64 bits.
 */
export function parseWhole(text: string): bigint | undefined {
  if (SHORT_INTEGER.test(text)) return BigInt(text);
  const parts = NUMBER.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const first = firstNonZero(digits);
  if (first === digits.length) return 0n;
  const end = endOfNonZero(digits);
  // value = significant digits × 10^shift. It is whole unless digits remain behind the point.
  const shift = Number(exponent) - fraction.length + (digits.length - end);
  if (shift < 0 || end - first + shift > MAX_DIGITS) return undefined;
  const magnitude = BigInt(digits.slice(first, end) + '0'.repeat(shift));
  return sign === '-' ? -magnitude : magnitude;
}

/** A finite double. Undefined for other text and beyond the range. */
export function parseDouble(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

// Loops, because /0+$/ takes quadratic time on a long row of zeros inside the text.
function firstNonZero(digits: string): number {
  let at = 0;
  while (at < digits.length && digits.charCodeAt(at) === 0x30) at++;
  return at;
}

function endOfNonZero(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return end;
}
