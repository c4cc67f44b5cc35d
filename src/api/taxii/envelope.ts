// The envelope that a client sends (TAXII 2.1 §3.7). The reader keeps the members that STIX gives indicators and sightings, and
// of nested values only the JSON type. So no body within the size limit keeps the process busy for long.

import { type ErrorReason, invalidArgument } from '../../domain/errors.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, JsonReader, JsonSyntaxError } from '../../protojson/json-reader.ts';
import { Violations } from '../../protojson/violations.ts';
import { MEMBER_NAMES, type StixObject } from '../../stix/submission/stix-members.ts';
import { HttpError } from '../http/errors.ts';

/**
 * Above what clients send: MISP fills `max_content_length` with 19,000 objects at most. The answer is 422 and not 413, because
 * a body within that length is never too large (§4.2.1).
 */
const OBJECT_LIMIT = 20_000;

const ENVELOPE_NAMES: ReadonlySet<string> = new Set(['type', 'objects']);

/** Placeholders of an object and of a list whose contents are not needed. */
const SOME_OBJECT: object = Object.freeze({});
const SOME_LIST: object = Object.freeze([]);

/** @throws `invalid_argument` for text that is not JSON or gives a member twice; HttpError 422 for JSON that is no envelope. */
export function readEnvelope(body: Uint8Array): readonly StixObject[] {
  const violations = new Violations();
  const { type, objects } = readJson(body, violations);
  violations.throwIfAny();
  if (type === 'bundle') {
    const wanted = 'TAXII 2.1 §3.7 wants an envelope, which has "objects" and no "type"';
    throw refuse(`the body is a STIX bundle: ${wanted}`, 'NOT_AN_ENVELOPE');
  }
  if (objects === undefined || objects.length === 0 || !objects.every((object) => object !== undefined))
    throw refuse('the body is not an envelope with STIX objects', 'NOT_AN_ENVELOPE');
  return objects;
}

interface Envelope {
  type?: unknown;
  /** Undefined for an element that is no object. */
  objects?: (StixObject | undefined)[];
}

function readJson(body: Uint8Array, violations: Violations): Envelope {
  try {
    const reader = new JsonReader(decode(body));
    const envelope: Envelope = {};
    if (reader.kind() === 'object') {
      readMembers(reader, ENVELOPE_NAMES, violations, (name) => {
        if (name === 'type') envelope.type = readValue(reader);
        else if (reader.kind() === 'list') envelope.objects = readObjects(reader, violations);
        else reader.skip();
      });
    } else {
      reader.skip();
    }
    reader.end();
    return envelope;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidArgument([{ field: 'body', description: error.message }], 'MALFORMED_JSON');
  }
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new JsonSyntaxError('malformed JSON: it is not UTF-8');
  }
}

function readObjects(reader: JsonReader, violations: Violations): (StixObject | undefined)[] {
  const objects: (StixObject | undefined)[] = [];
  violations.enter('objects');
  reader.open();
  while (reader.more(CLOSE_BRACKET, objects.length === 0)) {
    if (objects.length === OBJECT_LIMIT)
      throw refuse(`an envelope has at most ${OBJECT_LIMIT} objects here`, 'TOO_MANY_OBJECTS');
    violations.enter(objects.length);
    objects.push(reader.kind() === 'object' ? readObject(reader, violations) : void reader.skip());
    violations.leave();
  }
  violations.leave();
  return objects;
}

function readObject(reader: JsonReader, violations: Violations): StixObject {
  const object: Record<string, unknown> = {};
  readMembers(reader, MEMBER_NAMES, violations, (name) => {
    object[name] = reader.kind() === 'list' ? readList(reader) : readValue(reader);
  });
  return object;
}

/** Reads the object that begins here. `read` is called for each member in `names` and must read its value. */
function readMembers(
  reader: JsonReader,
  names: ReadonlySet<string>,
  violations: Violations,
  read: (name: string) => void,
): void {
  const seen = new Set<string>();
  reader.open();
  for (let first = true; reader.more(CLOSE_BRACE, first); first = false) {
    const name = reader.readName();
    if (!names.has(name)) {
      reader.skip();
      continue;
    }
    if (seen.has(name)) violations.add('is given more than once', name);
    seen.add(name);
    read(name);
  }
}

function readList(reader: JsonReader): unknown[] {
  const list: unknown[] = [];
  reader.open();
  while (reader.more(CLOSE_BRACKET, list.length === 0)) list.push(readValue(reader));
  return list;
}

/** One value, without its contents. */
function readValue(reader: JsonReader): unknown {
  switch (reader.kind()) {
    case 'object':
      reader.skip();
      return SOME_OBJECT;
    case 'list':
      reader.skip();
      return SOME_LIST;
    case 'string':
      return reader.readString();
    case 'number':
      return Number(reader.readNumber());
    case 'boolean':
      return reader.readBoolean();
    case 'null':
      reader.readNull();
      return null;
  }
}

function refuse(message: string, reason: ErrorReason): HttpError {
  return new HttpError(422, 'invalid_argument', message, reason);
}
