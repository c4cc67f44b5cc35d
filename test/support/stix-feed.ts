// Checks a whole feed against STIX 2.1: every version of every object, in the order of publication.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { closed, inWords } from './json-schema.ts';
import { stixFaults } from './stix-rules.ts';
import { schemaFaults } from './stix-schemas.ts';
import type { StixObject } from './wire.ts';

/** Every object type of the feed. */
export const STIX_TYPES: readonly string[] = [
  'attack-pattern',
  'extension-definition',
  'identity',
  'indicator',
  'location',
  'malware',
  'marking-definition',
  'relationship',
  'sighting',
];

export interface FeedVerdict {
  readonly faults: readonly string[];
  /** How many versions of objects there are, by type in alphabetical order. */
  readonly counts: Readonly<Record<string, number>>;
}

/** @param objects of all versions, as a reader who sees everything polls them. */
export function judgeFeed(objects: readonly StixObject[]): FeedVerdict {
  const faults: string[] = [];
  const versions = new Map<string, StixObject>();
  const earlier = new Set<string>();
  const ids = new Map<string, string>();
  const extensions = new PublishedExtensions();
  for (const object of objects) {
    const uuid = object.id.slice(object.id.indexOf('--') + 2);
    const before = versions.get(object.id);
    faults.push(
      ...schemaFaults(object),
      ...stixFaults(object, earlier),
      ...(before === undefined ? [] : successionFaults(before, object)),
      ...extensions.faults(object),
    );
    // §2.9: unique over all types of one producer.
    if ((ids.get(uuid) ?? object.id) !== object.id) faults.push(`${object.id}: a UUID of ${ids.get(uuid)}`);
    ids.set(uuid, object.id);
    versions.set(object.id, object);
    earlier.add(object.id);
  }
  const counts = new Map<string, number>();
  for (const type of objects.map(({ type }) => type).sort()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return { faults, counts: Object.fromEntries(counts) };
}

/** §3.6: what a later version of an object may not do. */
function successionFaults(before: StixObject, after: StixObject): readonly string[] {
  const { id, created, modified = '' } = after;
  return [
    ...(created === before.created ? [] : [`${id}: created another time`]),
    ...(modified > (before.modified ?? '') ? [] : [`${id}: not modified after ${before.modified}`]),
    ...(after.created_by_ref === before.created_by_ref ? [] : [`${id}: made by another`]),
    ...(after.revoked === true || before.revoked !== true ? [] : [`${id}: no longer revoked`]),
  ];
}

/** Checks extensions against the schemas that their definitions publish (§7.3). */
class PublishedExtensions {
  readonly #checks = new Map<string, ValidateFunction>();

  faults(object: StixObject): readonly string[] {
    if (object.type === 'extension-definition') this.#checks.set(object.id, compiled(String(object.schema)));
    return Object.entries((object.extensions ?? {}) as Record<string, object>).flatMap(([id, extension]) => {
      const check = this.#checks.get(id);
      if (check === undefined || check(extension)) return [];
      return inWords(check.errors).map((fault) => `${object.id}: ${fault}`);
    });
  }
}

const checksByText = new Map<string, ValidateFunction>();

/** Published schemas allow unknown members for later versions. Here they are closed, to find undocumented members. */
function compiled(schema: string): ValidateFunction {
  const known = checksByText.get(schema);
  if (known !== undefined) return known;
  const formats = { 'date-time': /^\d{4}(?:-\d\d){2}T\d\d(?::\d\d){2}\.\d{3}Z$/ };
  const check = new Ajv2020({ strictSchema: true, allErrors: true, formats }).compile(
    closed(JSON.parse(schema)),
  );
  checksByText.set(schema, check);
  return check;
}
