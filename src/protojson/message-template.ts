// What decoder and encoder need to know of a message type: how it looks when nothing is set, and which fields are special.

import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, TimestampSchema } from '@bufbuild/protobuf/wkt';

/** A message while it is put together. Its members are those of the generated type. */
export type Draft = Record<string, unknown>;

/**
 * Makes the empty message, as protobuf-es would: implicit scalars at their defaults, lists and maps empty, the rest
 * absent. Maps have no prototype, since their keys come from outside.
 */
export function draftFactory(message: DescMessage): () => Draft {
  const members: [name: string, initial: () => unknown][] = [];
  for (const field of message.fields) {
    if (field.fieldKind === 'list') members.push([field.localName, () => []]);
    else if (field.fieldKind === 'map') members.push([field.localName, () => Object.create(null)]);
    else if (field.fieldKind !== 'message' && isImplicit(field)) {
      const value = field.fieldKind === 'enum' ? 0 : defaultOf(field.scalar);
      members.push([field.localName, () => value]);
    }
  }
  return () => {
    const draft: Draft = { $typeName: message.typeName };
    for (const [name, initial] of members) draft[name] = initial();
    return draft;
  };
}

/** Whether a field is always there in JSON: not a message, and not declared `optional`. */
export function isImplicit(field: DescField): boolean {
  return field.presence === FeatureSet_FieldPresence.IMPLICIT;
}

export function isTimestamp(message: DescMessage): boolean {
  return message.typeName === TimestampSchema.typeName;
}

function isWide(scalar: ScalarType): boolean {
  return WHOLE_RANGES.get(scalar)?.wide === true;
}

interface WholeRange {
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly wide: boolean;
}

/** The whole-number types; wide ones are bigint in code and strings in JSON. */
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
  return isWide(scalar) ? 0n : 0;
}
