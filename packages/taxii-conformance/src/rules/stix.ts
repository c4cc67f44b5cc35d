// Rules about the objects (STIX 2.1), for every object of the sample that is STIX 2.1.

import { canonical, isObject, isText, type JsonObject, shown } from '../json-value.ts';
import { must, type Rule, should } from '../rule.ts';
import type { Survey } from '../survey.ts';
import { hasMilliseconds, isUtcTimestamp, sortable } from '../timestamp.ts';
import { checkNone, Untested } from '../violation.ts';
import { walk } from '../walk.ts';
import { isDomainOrRelationship, requiredOf } from './stix-types.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const IDENTIFIER = new RegExp(`^[a-z0-9][a-z0-9-]*--${UUID}$`, 'i');
const PROPERTY_NAME = /^[a-z0-9_]{1,250}$/;
const MOST_SIGHTINGS = 999_999_999;

/** The fault of an object. Undefined or empty if the rule holds. */
type Fault = string | false | undefined;

export const stixRules: readonly Rule[] = [
  stix(
    must,
    '2.9',
    'an id is the type, two hyphens and a UUID',
    ({ id, type }) =>
      !(IDENTIFIER.test(String(id)) && String(id).startsWith(`${String(type)}--`)) &&
      `the type is ${shown(type)}`,
  ),

  stix(
    must,
    '3.2',
    'spec_version is a version of STIX',
    ({ spec_version: of }) => !/^2\.\d+$/.test(String(of)) && shown(of),
  ),

  stix(must, '3.2', 'what a type requires is there', (object) => {
    const missing = requiredOf(object.type).filter((name) => object[name] === undefined);
    return missing.length > 0 && `${missing.join(', ')} missing`;
  }),

  stix(must, '3.2', 'created and modified are in UTC, with milliseconds', ({ created, modified }) => {
    const wrong = [created, modified].filter((time) => time !== undefined && !hasMilliseconds(time));
    return wrong.length > 0 && wrong.map(shown).join(', ');
  }),

  stix(
    must,
    '3.2',
    'modified is not before created',
    ({ created, modified }) =>
      isEarlier(modified, created) && `${shown(modified)} is before ${shown(created)}`,
  ),

  stix(
    must,
    '3.2',
    'confidence is a whole number from 0 to 100',
    ({ confidence }) => confidence !== undefined && !isWithin(confidence, 0, 100) && shown(confidence),
  ),

  stix(must, '3.2', 'references are ids', (object) => {
    const wrong = referencesOf(object).filter((id) => !IDENTIFIER.test(String(id)));
    return wrong.length > 0 && wrong.map(shown).join(', ');
  }),

  stix(
    must,
    '3.2',
    'created_by_ref is an identity',
    ({ created_by_ref: by }) => by !== undefined && !String(by).startsWith('identity--') && shown(by),
  ),

  stix(
    must,
    '3.2',
    'object_marking_refs are marking definitions',
    ({ object_marking_refs: refs = [] }) =>
      Array.isArray(refs) &&
      refs.some((ref) => !String(ref).startsWith('marking-definition--')) &&
      shown(refs),
  ),

  stix(must, '2.12', 'no list is empty, and nothing is null', (object) => emptyMembers(object).join(', ')),

  stix(must, '3.1', 'names of properties are lower case letters, digits and underscores', (object) => {
    const wrong = Object.keys(object).filter((name) => !PROPERTY_NAME.test(name));
    return wrong.length > 0 && wrong.join(', ');
  }),

  stix(
    must,
    '2.5',
    'an external reference has a source name and something more',
    ({ external_references: refs }) => {
      const told = ['description', 'url', 'external_id'];
      const sound = (ref: unknown) =>
        isObject(ref) && isText(ref.source_name) && told.some((name) => name in ref);
      return Array.isArray(refs) && !refs.every(sound) && shown(refs.find((ref) => !sound(ref)));
    },
  ),

  stix(
    must,
    '4.7',
    'an indicator ends after it begins',
    ({ type, valid_from, valid_until }) =>
      type === 'indicator' &&
      valid_until !== undefined &&
      !isEarlier(valid_from, valid_until) &&
      `valid_until ${shown(valid_until)}, valid_from ${shown(valid_from)}`,
  ),

  stix(
    must,
    '4.7',
    'a pattern of type stix is in brackets',
    ({ type, pattern, pattern_type }) =>
      type === 'indicator' &&
      pattern_type === 'stix' &&
      !/^\s*[([][\s\S]*\][\s\S]*$/.test(String(pattern)) &&
      shown(pattern),
  ),

  stix(must, '4.10', 'a location has a region, a country, or latitude and longitude', (object) => {
    const { type, region, country, latitude, longitude } = object;
    const found =
      region !== undefined || country !== undefined || (latitude !== undefined && longitude !== undefined);
    return type === 'location' && !found && 'none of them';
  }),

  stix(
    must,
    '5.2',
    'a sighting counts from 0 to 999,999,999',
    ({ type, count }) =>
      type === 'sighting' && count !== undefined && !isWithin(count, 0, MOST_SIGHTINGS) && shown(count),
  ),

  stix(
    must,
    '5.2',
    'a sighting does not end before it begins',
    ({ type, first_seen, last_seen }) =>
      type === 'sighting' &&
      isEarlier(last_seen, first_seen) &&
      `${shown(last_seen)} before ${shown(first_seen)}`,
  ),

  stix(
    must,
    '7.2.1',
    'a marking definition has no modified',
    ({ type, modified }) => type === 'marking-definition' && modified !== undefined && shown(modified),
  ),

  stix(
    must,
    '7.3',
    'extensions have the id of a definition, or of STIX itself, and say what they are',
    (object) => {
      const wrong = Object.entries(isObject(object.extensions) ? object.extensions : {}).filter(
        ([id, extension]) => id.includes('--') && !isExtension(id, extension),
      );
      return wrong.length > 0 && wrong.map(([id]) => id).join(', ');
    },
  ),

  must('STIX 3.6', 'stix: one version of an object always has the same content', async (survey) => {
    const { objects } = await sampled(survey);
    const contents = new Map(objects.map((object) => [keyOf(object), canonical(object)]));
    const faults = (await everyVersion(survey)).filter((object) => {
      const before = contents.get(keyOf(object));
      return before !== undefined && before !== canonical(object);
    });
    checkNone(faults.map((object) => `${keyOf(object)} differs from the one read before`));
  }),

  stix(
    should,
    '2.9',
    'domain and relationship objects have a UUID of version 4',
    ({ type, id }) => isDomainOrRelationship(type) && String(id).at(-22) !== '4' && 'another version',
  ),

  stix(
    should,
    '4.7',
    'an indicator has a name and a description',
    ({ type, name, description }) =>
      type === 'indicator' && !(isText(name) && isText(description)) && 'not both',
  ),

  stix(should, '11.1', 'properties of our own are in an extension', (object) => {
    const own = Object.keys(object).filter((name) => name.startsWith('x_'));
    return isDomainOrRelationship(object.type) && own.length > 0 && own.join(', ');
  }),

  // A client that meets a reference before its target has to keep it unresolved.
  should('STIX 3.2', 'stix: what an object refers to was added before it', async (survey) => {
    await sampled(survey);
    const earlier = new Set<unknown>();
    const faults: string[] = [];
    for (const object of await everyVersion(survey)) {
      for (const ref of referencesOf(object)) {
        if (!earlier.has(ref) && !isPredefined(ref))
          faults.push(`${shown(object.id)} refers to ${shown(ref)}`);
      }
      earlier.add(object.id);
    }
    checkNone(faults);
  }),
];

function stix(
  level: typeof must,
  section: string,
  title: string,
  faultOf: (object: JsonObject) => Fault,
): Rule {
  return level(`STIX ${section}`, `stix: ${title}`, async (survey) => {
    const { objects } = await sampled(survey);
    checkNone(
      objects.flatMap((object) => {
        const fault = faultOf(object);
        return fault === undefined || fault === false || fault === ''
          ? []
          : [`${shown(object.id)}: ${fault}`];
      }),
    );
  });
}

/** STIX 2.0 objects have no version member. Objects with other media types are not STIX. */
async function sampled(survey: Survey): Promise<{ readonly objects: readonly JsonObject[] }> {
  const { objects } = await survey.sample();
  const known = objects.filter(({ spec_version: of }) => of !== undefined && of !== '2.0');
  if (known.length === 0) throw new Untested('no object says that it is STIX 2.1');
  return { objects: known };
}

async function everyVersion(survey: Survey): Promise<readonly JsonObject[]> {
  const query = { limit: '100', 'match[version]': 'all' };
  const { items } = await walk(survey.http, survey.paths().objects, query, survey.options.limit);
  return items;
}

function keyOf({ id, modified, created }: JsonObject): string {
  return `${shown(id)} of ${shown(modified ?? created)}`;
}

function isEarlier(a: unknown, b: unknown): boolean {
  return isUtcTimestamp(a) && isUtcTimestamp(b) && sortable(a) < sortable(b);
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

function referencesOf(object: JsonObject): readonly unknown[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (name.endsWith('_ref')) return [value];
    return name.endsWith('_refs') && Array.isArray(value) ? value : [];
  });
}

/** OASIS defines the markings of TLP 1 and 2, so a server need not send them. */
function isPredefined(id: unknown): boolean {
  return String(id).startsWith('marking-definition--');
}

function isExtension(id: string, extension: unknown): boolean {
  return (
    new RegExp(`^extension-definition--${UUID}$`, 'i').test(id) &&
    isObject(extension) &&
    isText(extension.extension_type)
  );
}

function emptyMembers(value: unknown, path = ''): readonly string[] {
  if (value === null) return [`${path} is null`];
  if (Array.isArray(value) && value.length === 0) return [`${path} is empty`];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) =>
    emptyMembers(member, path === '' ? name : `${path}.${name}`),
  );
}
