// What STIX 2.1 demands of every object in the feed (MUST) and what its validators warn of, as far as the schemas of
// OASIS do not say it (see stix-schemas.ts), and the form that ours have beyond that. Checked from outside.

import { patternFaults } from './stix-patterns.ts';
import type { StixObject } from './wire.ts';

/** §2.9 recommends version 4 for everything that is no cyber-observable. */
const UUID_V4 = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const EXTENSION_ID = new RegExp(`^extension-definition--${UUID_V4}$`);
/** §3.2 wants at least three digits; ours are exactly three, since clients compare `modified` as text. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIME_MEMBER = /^(?:created|modified|valid_from|valid_until|\w+_(?:seen|time|at))$/;
/** ISO 3166-1 without the codes that it leaves to users. */
const COUNTRY = /^(?!AA|Q[M-Z]|X[A-Z]|ZZ)[A-Z]{2}$/;

/** The extension that OASIS defined for TLP 2.0. Its definition is not in the feed. */
const TLP_EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d';
/** The markings of TLP 2.0: name, and the one of TLP 1 (§7.2.1.4) that may stand beside it. */
const TLP: Readonly<Record<string, readonly [name: string, twin?: string]>> = {
  '94868c89-83c2-464b-929b-a1a8aa3c8487': ['TLP:CLEAR', '613f2e26-407d-48c7-9eca-b8e91df99dc9'],
  'bab4a63c-aed9-4cf5-a766-dfca5abac2bb': ['TLP:GREEN', '34098fce-860f-48ae-8e50-ebd3cc5e41da'],
  '55d920b0-5e8b-4f79-9ee9-91f868d9b421': ['TLP:AMBER', 'f88d31f6-486f-44da-b317-01333bde0b82'],
  '939a9414-2ddd-4d32-a0cd-375ea402b003': ['TLP:AMBER+STRICT'],
  'e828b379-4e03-4974-9ac4-e53a884c97c1': ['TLP:RED', '5e57c739-391a-4eb3-b6be-7d15ca92d5ed'],
};
/** Predefined by STIX, so never in the feed. */
const TLP_1: ReadonlySet<string> = new Set(
  Object.values(TLP).flatMap(([, twin]) => (twin === undefined ? [] : [`marking-definition--${twin}`])),
);

/** The object types that each reference may name. */
const REFERRED: Readonly<Record<string, RegExp>> = {
  created_by_ref: /^identity--/,
  where_sighted_refs: /^(?:identity|location)--/,
  sighting_of_ref: /^indicator--/,
  source_ref: /^indicator--/,
  target_ref: /^(?:malware|attack-pattern|location|indicator)--/,
  object_marking_refs: /^marking-definition--/,
};

type Must = (holds: boolean, fault: string) => void;

/** Rules by object type. The feed has no other types. */
const RULES: Readonly<Record<string, (object: StixObject, must: Must) => void>> = {
  indicator(object, must) {
    const types = (object.indicator_types ?? []) as readonly string[];
    must(isText(object.name) && isText(object.description), 'name or description is missing');
    must(types.length > 0 && new Set(types).size === types.length, 'indicator_types are missing or doubled');
    must(object.pattern_type === 'stix', 'pattern_type is not stix');
    must(object.pattern_version === '2.1', 'pattern_version is not 2.1');
    must(isAfter(object.valid_until, object.valid_from), 'valid_until is not after valid_from');
    must(isWithin(object.confidence ?? 0, 0, 100), 'confidence is not 0 to 100');
  },
  sighting(object, must) {
    must(isWithin(object.count, 0, 999_999_999), 'count is not 0 to 999,999,999');
    must(String(object.last_seen) >= String(object.first_seen), 'last_seen is before first_seen');
    must('where_sighted_refs' in object, 'nobody saw it');
  },
  // §4.7.2; between any two objects `related-to` (§3.7).
  relationship({ relationship_type, target_ref }, must) {
    const type = /^(?:location|indicator)--/.test(String(target_ref)) ? 'related-to' : 'indicates';
    must(relationship_type === type, `an indicator ${relationship_type} ${target_ref}`);
  },
  malware: ({ is_family, name }, must) =>
    must(is_family === true && isText(name), 'not a family with a name'),
  'attack-pattern'({ name, external_references: references }, must) {
    const [first] = (references ?? []) as readonly Record<string, string>[];
    must(isText(name), 'name is empty');
    must(first?.source_name === 'mitre-attack' && /^T\d{4}/.test(first?.external_id ?? ''), 'not of ATT&CK');
  },
  location: ({ country }, must) => must(COUNTRY.test(String(country)), `${country} is no country`),
  identity({ name, identity_class }, must) {
    must(isText(name), 'name is empty');
    must(identity_class === 'system', 'identity_class is not system');
  },
  'marking-definition'(object, must) {
    const [name = ''] = TLP[uuidOf(object.id)] ?? [];
    const level = name.replace('TLP:', '').toLowerCase();
    const official = {
      type: 'marking-definition',
      spec_version: '2.1',
      id: object.id,
      created: '2022-10-01T00:00:00.000Z',
      name,
      extensions: { [TLP_EXTENSION]: { extension_type: 'property-extension', tlp_2_0: level } },
    };
    must(JSON.stringify(object) === JSON.stringify(official), 'not the marking that OASIS defined');
  },
  // §7.3
  'extension-definition'(object, must) {
    const none = ['extensions', 'confidence', 'lang'].every((name) => !(name in object));
    must(none, 'has extensions, confidence or lang');
    must('created_by_ref' in object, 'created_by_ref is missing');
    must(isText(object.description), 'description is missing');
    must(/^\d+\.\d+\.\d+$/.test(String(object.version)), 'version is not of the form 1.2.3');
    must(String(object.extension_types) === 'property-extension', 'another kind of extension');
  },
};

/**
 * The faults of one object.
 * @param earlier ids of the objects that came before it in the feed: a reference points to one of them.
 */
export function stixFaults(object: StixObject, earlier: ReadonlySet<string>): readonly string[] {
  const faults: string[] = [];
  const must: Must = (holds, fault) => {
    if (!holds) faults.push(`${object.id}: ${fault}`);
  };

  const rules = RULES[object.type];
  must(rules !== undefined, `unknown type ${object.type}`);
  must(new RegExp(`^${object.type}--${UUID_V4}$`).test(object.id), 'id is not of the form type--UUID');
  must(object.spec_version === '2.1', 'spec_version is not 2.1');
  must((object.modified ?? object.created) >= object.created, 'modified before created');
  must(!('lang' in object), 'lang says nothing here');
  must((object.revoked ?? true) === true, 'revoked is true or left out');
  rules?.(object, must);
  checkMarkings(object, must);
  checkReferences(object, earlier, must);
  checkExtensions(object, earlier, must);
  if (object.type === 'indicator')
    for (const fault of patternFaults(String(object.pattern), object.name, earlier)) must(false, fault);
  for (const fault of memberFaults(object, object.id)) faults.push(fault);
  return faults;
}

/** Observed data has one TLP 2.0 marking and at most one TLP 1 marking of the same level. */
function checkMarkings(object: StixObject, must: Must): void {
  const [first = '', ...others] = ((object.object_marking_refs ?? []) as readonly string[]).map(uuidOf);
  if (isForAll(object)) {
    must(first === '', 'marked, though all others refer to it');
    return;
  }
  const [name, twin] = TLP[first] ?? [];
  must(name !== undefined, `marked with ${first || 'nothing'}`);
  must(others.length === 0 || (others.length === 1 && others[0] === twin), `also marked with ${others}`);
  must('created_by_ref' in object, 'does not say who made it');
}

/** Markings, extensions and the service itself, which nobody made: whoever reads anything needs them. */
function isForAll(object: StixObject): boolean {
  if (object.type === 'identity') return !('created_by_ref' in object);
  return object.type === 'marking-definition' || object.type === 'extension-definition';
}

function checkReferences(object: StixObject, earlier: ReadonlySet<string>, must: Must): void {
  for (const [name, value] of Object.entries(object)) {
    if (!/_refs?$/.test(name)) continue;
    for (const id of [value].flat().map(String)) {
      must(earlier.has(id) || TLP_1.has(id), `refers to ${id}, which did not come before it`);
      must(REFERRED[name]?.test(id) === true, `${name} refers to ${id}`);
    }
  }
  // §2.5
  for (const reference of (object.external_references ?? []) as readonly Record<string, unknown>[]) {
    const tells = ['description', 'url', 'external_id'].some((name) => isText(reference[name]));
    must(isText(reference.source_name) && tells, 'an external reference tells nothing');
    must(!('url' in reference) || 'hashes' in reference, 'an external reference has a url without hashes');
  }
}

function checkExtensions(object: StixObject, earlier: ReadonlySet<string>, must: Must): void {
  for (const [id, extension] of Object.entries((object.extensions ?? {}) as Record<string, object>)) {
    must(EXTENSION_ID.test(id), `${id} is not the id of an extension`);
    must(id === TLP_EXTENSION || earlier.has(id), `its extension ${id} is not defined before it`);
    const { extension_type } = extension as { extension_type?: unknown };
    must(extension_type === 'property-extension', `its extension ${id} has the type ${extension_type}`);
  }
}

/** §2.1, §2.9, §3.1: no null, no empty list, no empty object, names of 3 to 250 small letters; times as ours are. */
function memberFaults(value: unknown, path: string): readonly string[] {
  if (value === null) return [`${path} is null`];
  if (typeof value !== 'object') return [];
  const members = Object.entries(value);
  if (members.length === 0) return [`${path} is empty`];
  return members.flatMap(([name, member]) => {
    const isNamed = Array.isArray(value) || name === 'id' || /^[a-z0-9_]{3,250}$/.test(name);
    return [
      ...(isNamed || EXTENSION_ID.test(name) ? [] : [`${path}: bad name ${name}`]),
      ...(!TIME_MEMBER.test(name) || isTimestamp(member) ? [] : [`${path}.${name}: no timestamp`]),
      ...memberFaults(member, `${path}.${name}`),
    ];
  });
}

function isTimestamp(value: unknown): boolean {
  if (!TIMESTAMP.test(String(value))) return false;
  const time = new Date(String(value));
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isAfter(later: unknown, earlier: unknown): boolean {
  return later === undefined || String(later) > String(earlier);
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

function uuidOf(id: string): string {
  return id.slice(id.indexOf('--') + 2);
}
