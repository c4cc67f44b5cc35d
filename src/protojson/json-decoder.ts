// The decoder of ProtoJSON. It accepts what a Protobuf gateway accepts, with three exceptions, and names every fault
// with its path. An unknown member or enum value is a fault, so a typo cannot widen a billed search. Text behind the one
// JSON value of a body is a fault too.

import { isUtf8 } from 'node:buffer';
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type MessageShape,
  ScalarType,
} from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { invalidArgument } from '../domain/errors.ts';
import {
  type FieldRule,
  type FieldRules,
  rangeFault,
  sizeFault,
  type TextRule,
  textFault,
} from './field-rules.ts';
import {
  type Draft,
  draftFactory,
  isTimestamp,
  parseDouble,
  parseWhole,
  WHOLE_RANGES,
} from './field-types.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, JsonReader, JsonSyntaxError } from './json-reader.ts';
import { parseProtoTimestamp } from './proto-timestamp.ts';
import { REPEATED, REQUIRED, Violations } from './violations.ts';

/** Reads one value. Notes a fault and returns undefined if the value is invalid. */
type Read = (reader: JsonReader, violations: Violations) => unknown;

interface FieldPlan {
  readonly localName: string;
  readonly jsonName: string;
  /** The bit of the field in the sets that are kept while a message is read. */
  readonly bit: number;
  readonly read: Read;
}

/** The sets of fields are the bits of one number. */
const MAX_FIELDS = 31;
const NO_RULE: FieldRule = {};

export interface DecoderOptions<Message> {
  /** Refuses a body that is empty or white space. By default it is the empty message. */
  readonly bodyRequired?: boolean;
  /**
   * Throws the further faults of a message that has some already, so that one error names all. The members at fault have
   * their defaults.
   */
  readonly validate?: (message: Message) => void;
}

/**
 * Compiles the decoder of a message. It takes the bytes of a body, or text that is well-formed already. The decoder throws
 * `invalid_argument` with all the faults it found.
 */
export function createDecoder<Desc extends DescMessage>(
  message: Desc,
  rules: FieldRules = {},
  { bodyRequired = false, validate = () => {} }: DecoderOptions<MessageShape<Desc>> = {},
): (body: Uint8Array | string) => MessageShape<Desc> {
  const read = messageReader(message, rules, []);
  return (body) => {
    const text = typeof body === 'string' ? body : utf8Text(body);
    const isBlank = /^[ \t\r\n]*$/.test(text);
    if (isBlank && bodyRequired) throw invalidArgument([{ field: 'body', description: BODY_REQUIRED }]);
    const reader = new JsonReader(isBlank ? '{}' : text);
    const violations = new Violations();
    let decoded: unknown;
    try {
      decoded = read(reader, violations);
      reader.end();
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      throw malformed(error.message);
    }
    // The reader was compiled from the same descriptor as the type. A body that is no object has no members to judge.
    const shape = decoded as MessageShape<Desc>;
    violations.throwIfAny(() => (shape === undefined ? undefined : validate(shape)));
    return shape;
  };
}

const BODY_REQUIRED = 'is required; {} is an empty request';

function utf8Text(body: Uint8Array): string {
  if (!isUtf8(body)) throw malformed('is not UTF-8');
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

function malformed(description: string): Error {
  return invalidArgument([{ field: 'body', description }], 'MALFORMED_JSON');
}

function messageReader(message: DescMessage, rules: FieldRules, outer: readonly DescMessage[]): Read {
  if (isTimestamp(message)) return readTimestamp;
  if (outer.includes(message)) throw new Error(`${message.typeName} contains itself, which is not supported`);
  if (message.fields.length > MAX_FIELDS) throw new Error(`${message.typeName} has too many fields`);
  const plans = new Map<string, FieldPlan>();
  const names = message.fields.map(({ jsonName }) => jsonName);
  const required: FieldPlan[] = [];
  const createDraft = draftFactory(message);
  message.fields.forEach((field, index) => {
    if (field.oneof !== undefined)
      throw new Error(`${field.toString()} is in a oneof, which is not supported`);
    const rule = rules[`${message.typeName}.${field.name}`] ?? NO_RULE;
    const read = fieldReader(field, rule, rules, [...outer, message]);
    const plan = { localName: field.localName, jsonName: field.jsonName, bit: 1 << index, read };
    plans.set(field.name, plan).set(field.jsonName, plan);
    if (rule.required) required.push(plan);
  });

  return (reader, violations) => {
    if (reader.kind() !== 'object') return refuse(reader, violations, 'must be an object');
    const draft = createDraft();
    // `null` names a field and does not give it.
    let named = 0;
    let given = 0;
    reader.open();
    for (let first = true; reader.more(CLOSE_BRACE, first); first = false) {
      const name = reader.readName();
      const plan = plans.get(name);
      if (plan === undefined) {
        violations.addUnknown(name, names);
        reader.skip();
        continue;
      }
      violations.enter(plan.jsonName);
      if ((named & plan.bit) !== 0) {
        refuse(reader, violations, REPEATED);
      } else if (reader.kind() === 'null') {
        reader.readNull();
      } else {
        given |= plan.bit;
        const value = plan.read(reader, violations);
        if (value !== undefined) draft[plan.localName] = value;
      }
      named |= plan.bit;
      violations.leave();
    }
    for (const plan of required) {
      if ((given & plan.bit) === 0) violations.add(REQUIRED, plan.jsonName);
    }
    return draft;
  };
}

function fieldReader(
  field: DescField,
  rule: FieldRule,
  rules: FieldRules,
  outer: readonly DescMessage[],
): Read {
  const read = elementReader(field, rule, rules, outer);
  if (field.fieldKind === 'list') return listReader(read, rule);
  if (field.fieldKind === 'map') {
    if (field.mapKey !== ScalarType.STRING)
      throw new Error(`${field.toString()} has keys that are not supported`);
    return mapReader(read, rule);
  }
  return read;
}

/** The rules in `members`, under full names. */
function membersOf({ message }: DescField, { members = {} }: FieldRule): FieldRules {
  return Object.fromEntries(
    Object.entries(members).map(([name, rule]) => [`${message?.typeName}.${name}`, rule]),
  );
}

/** The reader of a single field, of the elements of a list, or of the values of a map. */
function elementReader(
  field: DescField,
  rule: FieldRule,
  rules: FieldRules,
  outer: readonly DescMessage[],
): Read {
  if (field.message !== undefined)
    return messageReader(field.message, { ...rules, ...membersOf(field, rule) }, outer);
  if (field.enum !== undefined) return enumReader(field.enum);
  if (field.scalar === ScalarType.STRING) return stringReader(rule.text);
  if (field.scalar === ScalarType.BOOL) return readBoolean;
  if (field.scalar === ScalarType.DOUBLE) return doubleReader(rule);
  return wholeReader(field.scalar, rule);
}

function listReader(readElement: Read, rule: FieldRule): Read {
  const { maxItems = Number.POSITIVE_INFINITY } = rule;
  return (reader, violations) => {
    if (reader.kind() !== 'list') return refuse(reader, violations, 'must be a list');
    const list: unknown[] = [];
    let index = 0;
    reader.open();
    for (; reader.more(CLOSE_BRACKET, index === 0); index++) {
      const kind = reader.kind();
      // Elements beyond the limit are skipped, because the list is refused anyway.
      if (index >= maxItems) {
        reader.skip();
        continue;
      }
      violations.enter(index);
      const value =
        kind === 'null' ? refuse(reader, violations, 'must not be null') : readElement(reader, violations);
      if (value !== undefined) list.push(value);
      violations.leave();
    }
    const fault = sizeFault(index, rule);
    if (fault !== undefined) violations.add(fault);
    return list;
  };
}

function mapReader(readValue: Read, rule: FieldRule): Read {
  return (reader, violations) => {
    if (reader.kind() !== 'object') return refuse(reader, violations, 'must be an object');
    const map: Draft = Object.create(null);
    let size = 0;
    reader.open();
    for (; reader.more(CLOSE_BRACE, size === 0); size++) {
      const key = reader.readName();
      const fault = key in map ? REPEATED : textFault(key, rule.keys);
      const isNull = reader.kind() === 'null';
      violations.enter({ key });
      if (fault !== undefined) refuse(reader, violations, fault);
      else if (isNull) refuse(reader, violations, 'must not be null');
      else map[key] = readValue(reader, violations);
      violations.leave();
    }
    const fault = sizeFault(size, rule);
    if (fault !== undefined) violations.add(fault);
    return map;
  };
}

function stringReader(rule: TextRule | undefined): Read {
  return (reader, violations) => {
    if (reader.kind() !== 'string') return refuse(reader, violations, 'must be a string');
    const value = reader.readString();
    return judged(value, textFault(value, rule), violations);
  };
}

const readBoolean: Read = (reader, violations) =>
  reader.kind() === 'boolean' ? reader.readBoolean() : refuse(reader, violations, 'must be true or false');

const readTimestamp: Read = (reader, violations) => {
  const parts = reader.kind() === 'string' ? parseProtoTimestamp(reader.readString()) : skipped(reader);
  if (parts === undefined) violations.add('must be an RFC 3339 date-time such as 2026-01-31T23:59:59Z');
  return parts === undefined ? undefined : { $typeName: TimestampSchema.typeName, ...parts };
};

function doubleReader(rule: FieldRule): Read {
  return (reader, violations) => {
    const text = readNumberText(reader);
    const value = text === undefined ? undefined : (NON_FINITE.get(text) ?? parseDouble(text));
    if (value === undefined) return judged(value, 'must be a number', violations);
    return judged(value, rangeFault(value, rule), violations);
  };
}

const NON_FINITE: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function wholeReader(scalar: ScalarType, rule: FieldRule): Read {
  const range = WHOLE_RANGES.get(scalar);
  if (range === undefined) throw new Error(`fields of scalar type ${scalar} are not supported`);
  const { minimum, maximum, wide } = range;
  return (reader, violations) => {
    const text = readNumberText(reader);
    const value = text === undefined ? undefined : parseWhole(text);
    if (value === undefined || value < minimum || value > maximum) {
      return judged(undefined, `must be a whole number from ${minimum} to ${maximum}`, violations);
    }
    return wide ? value : judged(Number(value), rangeFault(Number(value), rule), violations);
  };
}

/** Values are written with the prefix of their type. Texts without it are compared with it, so that `write` is near. */
function enumReader(desc: DescEnum): Read {
  const names = desc.values.map(({ name }) => name);
  const prefix = desc.sharedPrefix ?? '';
  const withPrefix = (text: string) => (text.toLowerCase().startsWith(prefix) ? text : prefix + text);
  const numbers = new Map(desc.values.map((value) => [value.name, value.number]));
  const known = new Set(numbers.values());
  return (reader, violations) => {
    const kind = reader.kind();
    if (kind === 'string') {
      const text = reader.readString();
      const value = numbers.get(text);
      if (value !== undefined) return value;
      const suggestion = violations.suggestion(withPrefix(text), names);
      return judged(undefined, `is not a value of ${desc.name}${suggestion}`, violations);
    }
    const value = kind === 'number' ? Number(parseWhole(reader.readNumber())) : skipped(reader);
    const fault = value === undefined || !known.has(value) ? `is not a value of ${desc.name}` : undefined;
    return judged(value, fault, violations);
  };
}

/** The text of a number, or of a string that holds one. Other values are skipped and undefined. */
function readNumberText(reader: JsonReader): string | undefined {
  const kind = reader.kind();
  if (kind === 'number') return reader.readNumber();
  if (kind === 'string') return reader.readString();
  return skipped(reader);
}

function judged<Value>(value: Value, fault: string | undefined, violations: Violations): Value | undefined {
  if (fault === undefined) return value;
  violations.add(fault);
  return undefined;
}

function refuse(reader: JsonReader, violations: Violations, fault: string): undefined {
  violations.add(fault);
  reader.skip();
}

function skipped(reader: JsonReader): undefined {
  reader.skip();
}
