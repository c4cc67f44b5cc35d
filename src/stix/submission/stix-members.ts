// The members of submitted indicators and sightings, with the JSON types of STIX 2.1 (§3.2, §4.7, §5.2). An object with
// a member of another type is refused: ignoring the member could lose a marking.

import type { Instant } from '../../domain/instant.ts';
import { parseTimestamp, type TimestampForm, toInstant, YEAR_10000 } from '../../domain/timestamp.ts';
import { StixFault } from '../stix-fault.ts';

/** A submitted object, not validated yet. */
export type StixObject = Readonly<Record<string, unknown>>;

interface Kind<Value> {
  readonly name: string;
  readonly holds: (value: unknown) => value is Value;
}

/** The members of a table. Each may be absent. */
type Members<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends Kind<infer Value> ? Value | undefined : never;
};

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is StixObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TEXT: Kind<string> = { name: 'a string', holds: isText };
const FLAG: Kind<boolean> = { name: 'a boolean', holds: (value) => typeof value === 'boolean' };
const NUMBER: Kind<number> = { name: 'a number', holds: (value) => typeof value === 'number' };
const TEXTS: Kind<readonly string[]> = {
  name: 'a list of strings',
  holds: (value): value is readonly string[] => Array.isArray(value) && value.every(isText),
};
const OBJECT: Kind<StixObject> = { name: 'an object', holds: isObject };
const OBJECTS: Kind<readonly StixObject[]> = {
  name: 'a list of objects',
  holds: (value): value is readonly StixObject[] => Array.isArray(value) && value.every(isObject),
};
const COMMON = {
  type: TEXT,
  spec_version: TEXT,
  id: TEXT,
  created_by_ref: TEXT,
  created: TEXT,
  modified: TEXT,
  revoked: FLAG,
  labels: TEXTS,
  confidence: NUMBER,
  lang: TEXT,
  external_references: OBJECTS,
  object_marking_refs: TEXTS,
  granular_markings: OBJECTS,
  extensions: OBJECT,
};

export const INDICATOR = {
  ...COMMON,
  name: TEXT,
  description: TEXT,
  indicator_types: TEXTS,
  pattern: TEXT,
  pattern_type: TEXT,
  pattern_version: TEXT,
  valid_from: TEXT,
  valid_until: TEXT,
  kill_chain_phases: OBJECTS,
};

export const SIGHTING = {
  ...COMMON,
  description: TEXT,
  first_seen: TEXT,
  last_seen: TEXT,
  count: NUMBER,
  sighting_of_ref: TEXT,
  observed_data_refs: TEXTS,
  where_sighted_refs: TEXTS,
  summary: FLAG,
};

/** The names of all members that are read. */
export const MEMBER_NAMES: ReadonlySet<string> = new Set(Object.keys({ ...INDICATOR, ...SIGHTING }));

export type CommonMembers = Members<typeof COMMON>;

/** @throws StixFault that names the member with a wrong type. */
export function membersOf<Table extends Readonly<Record<string, Kind<unknown>>>>(
  object: StixObject,
  table: Table,
): Members<Table> {
  for (const [name, value] of Object.entries(object)) {
    const kind = Object.hasOwn(table, name) ? table[name] : undefined;
    if (value !== undefined && kind?.holds(value) === false)
      throw new StixFault(`${name} is not ${kind.name}`);
  }
  // The types of all members in the table were checked above.
  return object as Members<Table>;
}

export interface StixTime {
  /** Rounded down to the millisecond. */
  readonly millis: Instant;
  /** The time with all its digits. Equal for equal times, and in the order of time when compared as text. */
  readonly exact: string;
}

const STIX_FORM: TimestampForm = { zone: 'utc', leapSecond: true };
const SECONDS_LENGTH = '2026-01-31T12:00:00'.length;

/** Undefined unless `text` is RFC 3339 with capital `T` and `Z`, without an offset, and on a day that exists. */
export function parseStixTime(text: string): StixTime | undefined {
  const timestamp = parseTimestamp(text, STIX_FORM);
  if (timestamp === undefined || timestamp.seconds >= YEAR_10000) return undefined;
  const fraction = String(timestamp.nanos).padStart(9, '0').replace(/0+$/, '');
  return { millis: toInstant(timestamp), exact: `${text.slice(0, SECONDS_LENGTH)}.${fraction}` };
}

/** Senders write earlier times when they do not know the time. */
const EARLIEST = '1970';

/**
 * The time of a member; undefined without the member.
 * @throws StixFault if it is not a timestamp, or too early.
 */
export function timeOf<Name extends string>(
  members: Readonly<Partial<Record<Name, string | undefined>>>,
  name: Name,
): StixTime | undefined {
  const text: string | undefined = members[name];
  if (text === undefined) return undefined;
  const time = parseStixTime(text);
  if (time === undefined) throw new StixFault(`${name} is not a timestamp such as 2026-03-01T12:00:00.000Z`);
  if (time.exact < EARLIEST) throw new StixFault(`${name} lies before ${EARLIEST}`);
  return time;
}

/** @throws StixFault as timeOf, and without the member. */
export function requiredTimeOf<Name extends string>(
  members: Readonly<Partial<Record<Name, string | undefined>>>,
  name: Name,
): StixTime {
  const time = timeOf(members, name);
  if (time === undefined) throw new StixFault(`${name} is missing`);
  return time;
}
