// What STIX 2.1 demands of every object in the feed (MUST), checked from outside.

import type { StixObject } from './wire.ts';

const UUID_V4 = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
/** §3.2: UTC, and an even number of digits says nothing more; ours are milliseconds. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Defined by OASIS, and therefore not in the feed. */
const TLP_EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d';
/** One comparison: an object path, an operator and a literal in which quotes and backslashes are escaped. */
const PATTERN = /^\[[a-z0-9-]+:[a-z0-9_.'-]+ (?:=|ISSUBSET) '(?:[^'\\]|\\['\\])*'\]$/i;

const VERSIONED = ['created', 'modified'];
/** By type: what an object must have beside type, id and spec_version. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  indicator: [...VERSIONED, 'pattern', 'pattern_type', 'valid_from'],
  identity: [...VERSIONED, 'name'],
  'marking-definition': ['created'],
  'extension-definition': [...VERSIONED, 'created_by_ref', 'name', 'schema', 'version', 'extension_types'],
  sighting: [...VERSIONED, 'sighting_of_ref'],
  relationship: [...VERSIONED, 'relationship_type', 'source_ref', 'target_ref'],
  'attack-pattern': [...VERSIONED, 'name'],
  malware: [...VERSIONED, 'is_family'],
  location: VERSIONED,
};

/**
 * The faults of one object.
 * @param earlier ids of the objects that came before it in the feed: a reference points to one of them.
 */
export function stixFaults(object: StixObject, earlier: ReadonlySet<string>): readonly string[] {
  const faults: string[] = [];
  const must = (holds: boolean, fault: string) => {
    if (!holds) faults.push(`${object.id}: ${fault}`);
  };

  const required = REQUIRED[object.type];
  must(required !== undefined, `unknown type ${object.type}`);
  must(new RegExp(`^${object.type}--${UUID_V4}$`).test(object.id), 'id is not of the form type--UUID');
  must(object.spec_version === '2.1', 'spec_version is not 2.1');
  for (const name of required ?? []) must(name in object, `${name} is missing`);
  for (const name of ['created', 'modified', 'valid_from', 'valid_until']) {
    if (name in object) must(TIMESTAMP.test(String(object[name])), `${name} is not a timestamp`);
  }
  must((object.modified ?? object.created) >= object.created, 'modified before created');
  if (object.type === 'marking-definition')
    must(!('modified' in object), 'a marking-definition has no versions');
  if ('confidence' in object) must(isWithin(object.confidence, 0, 100), 'confidence is not 0 to 100');

  for (const id of referencesOf(object))
    must(earlier.has(id), `refers to ${id}, which did not come before it`);
  for (const [id, extension] of Object.entries((object.extensions ?? {}) as Record<string, object>)) {
    must(id === TLP_EXTENSION || earlier.has(id), `its extension ${id} is not defined before it`);
    must('extension_type' in extension, `its extension ${id} has no extension_type`);
  }
  for (const reference of (object.external_references ?? []) as readonly object[]) {
    const tells = 'description' in reference || 'url' in reference || 'external_id' in reference;
    must('source_name' in reference && tells, 'an external reference tells nothing');
  }
  if (object.type === 'indicator') {
    must(object.pattern_type === 'stix', 'pattern_type is not stix');
    must(PATTERN.test(String(object.pattern)), `the pattern is not one: ${String(object.pattern)}`);
    must(
      object.valid_until === undefined || String(object.valid_until) > String(object.valid_from),
      'valid_until is not after valid_from',
    );
  }
  faults.push(...emptyMembers(object, object.id));
  return faults;
}

/** §2.3, §2.4, §3.1: no null, no empty list, no empty object, names in lower case. */
function emptyMembers(value: unknown, path: string): readonly string[] {
  if (value === null) return [`${path} is null`];
  if (typeof value !== 'object') return [];
  const members = Object.entries(value);
  if (members.length === 0) return [`${path} is empty`];
  return members.flatMap(([name, member]) => [
    ...(Array.isArray(value) || /^[a-z0-9_]{2,250}$|--/.test(name) ? [] : [`${path}: bad name ${name}`]),
    ...emptyMembers(member, `${path}.${name}`),
  ]);
}

function referencesOf(object: StixObject): readonly string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (name.endsWith('_ref')) return [String(value)];
    return name.endsWith('_refs') ? (value as string[]) : [];
  });
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
