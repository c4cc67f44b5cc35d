// The encoder of ProtoJSON: members in the order of declaration, with default values, without unset messages and
// timestamps.
//
// It takes generated messages, and domain values whose members have the names of the contract. In a domain value an
// instant is a number of milliseconds, and an enumeration is a vocabulary name.

import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isImplicit, isTimestamp, WHOLE_RANGES } from './field-types.ts';
import { formatInstant, formatProtoTimestamp, type TimestampParts } from './proto-timestamp.ts';

type Write = (value: unknown) => string;

/** Compiles the encoder of a message. It ignores members that the message does not have. */
export function createEncoder<Value extends object>(message: DescMessage): (value: Value) => string {
  return messageWriter(message) as (value: Value) => string;
}

function messageWriter(message: DescMessage): Write {
  if (isTimestamp(message)) return writeTimestamp;
  const fields = message.fields.map((field) => {
    if (field.oneof !== undefined)
      throw new Error(`${field.toString()} is in a oneof, which is not supported`);
    return {
      name: field.localName,
      prefix: `"${field.jsonName}":`,
      write: fieldWriter(field),
      absent: absentText(field),
    };
  });
  return (value) => {
    const members = value as Readonly<Record<string, unknown>>;
    let json = '{';
    let separator = '';
    for (const { name, prefix, write, absent } of fields) {
      const member = members[name];
      const text = member === undefined ? absent : write(member);
      if (text === undefined) continue;
      json += separator + prefix + text;
      separator = ',';
    }
    return `${json}}`;
  };
}

/** The JSON of a field that is not set: its default. Undefined when the field is then left out. */
function absentText(field: DescField): string | undefined {
  if (field.fieldKind === 'list') return '[]';
  if (field.fieldKind === 'map') return '{}';
  if (field.fieldKind === 'message' || !isImplicit(field)) return undefined;
  if (field.fieldKind === 'enum') return enumWriter(field.enum)(0);
  return scalarWriter(field.scalar)(field.scalar === ScalarType.STRING ? '' : 0);
}

function fieldWriter(field: DescField): Write {
  const write = elementWriter(field);
  if (field.fieldKind === 'list') return (value) => listText(value as readonly unknown[], write);
  if (field.fieldKind === 'map') return (value) => mapText(value as Readonly<Record<string, unknown>>, write);
  return write;
}

function elementWriter(field: DescField): Write {
  if (field.message !== undefined) return messageWriter(field.message);
  if (field.enum !== undefined) return enumWriter(field.enum);
  return scalarWriter(field.scalar);
}

function scalarWriter(scalar: ScalarType): Write {
  if (scalar === ScalarType.STRING) return JSON.stringify;
  if (scalar === ScalarType.DOUBLE) return (value) => doubleText(value as number);
  if (scalar === ScalarType.BOOL) return (value) => String(value === true);
  const range = WHOLE_RANGES.get(scalar);
  if (range === undefined) throw new Error(`fields of scalar type ${scalar} are not supported`);
  return range.wide ? (value) => `"${value}"` : String;
}

/** JSON.stringify loses the sign of -0 and turns NaN and infinities into null. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : String(value);
}

function enumWriter(desc: DescEnum): Write {
  const texts = new Map<unknown, string>();
  const prefixLength = desc.sharedPrefix?.length ?? 0;
  for (const { name, number } of desc.values) {
    const text = JSON.stringify(name);
    texts.set(number, text).set(name.slice(prefixLength), text);
  }
  return (value) => {
    // An open enumeration may have a number without a name.
    const text = texts.get(value) ?? (typeof value === 'number' ? String(value) : undefined);
    if (text === undefined) throw new TypeError(`${desc.name} has no such value`);
    return text;
  };
}

const writeTimestamp: Write = (value) =>
  typeof value === 'number'
    ? `"${formatInstant(value)}"`
    : `"${formatProtoTimestamp(value as TimestampParts)}"`;

function listText<Element>(list: readonly Element[], write: (element: Element) => string): string {
  let json = '[';
  let separator = '';
  for (const element of list) {
    json += separator + write(element);
    separator = ',';
  }
  return `${json}]`;
}

function mapText(map: Readonly<Record<string, unknown>>, write: Write): string {
  return `{${Object.entries(map)
    .map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`)
    .join()}}`;
}
