// The file that declares collections: a JSON array whose filters are IndicatorFilter messages of the contract.

import type { DescMessage } from '@bufbuild/protobuf';
import {
  type DeclaredCollection,
  ICS_COLLECTION,
  PARTNER_REPORTS,
  SERVICE_GLOBAL_FEED,
} from '../domain/collection.ts';
import { type FieldViolation, invalidArgument, ServiceError } from '../domain/errors.ts';
import { filterViolations, MATCH_ALL } from '../domain/filter.ts';
import { IndicatorFilterSchema } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { FIELD_RULES } from './field-rules.ts';
import { isTimestamp } from './field-types.ts';
import { toFilter } from './indicator-filter.ts';
import { createDecoder } from './json-decoder.ts';

/** The `identifier` of TAXII 2.1 §2, in the one spelling that paths compare. */
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ALIAS = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const TEXT_LIMIT = 1_000;
const MEMBERS = ['id', 'title', 'description', 'alias', 'filter'];

const decodeFilter = createDecoder(IndicatorFilterSchema, FIELD_RULES);

/**
 * @throws ServiceError `invalid_argument` naming every fault. Unlike in a request, a member that is not known is one:
 *   a misspelt condition would publish more than was meant.
 */
export function parseDeclaredCollections(text: string): readonly DeclaredCollection[] {
  const list = parseJson(text);
  if (!Array.isArray(list))
    throw invalidArgument([{ field: 'file', description: 'must be an array of collections' }]);
  const violations: FieldViolation[] = [];
  const collections = list.map((item: unknown, index) => parseCollection(item, `[${index}]`, violations));
  const taken = new Set([SERVICE_GLOBAL_FEED, ICS_COLLECTION, PARTNER_REPORTS].flatMap(namesOf));
  for (const [index, collection] of collections.entries()) {
    // Its own names may be the same.
    for (const name of new Set(namesOf(collection))) {
      if (taken.has(name))
        violations.push({ field: `[${index}]`, description: `${JSON.stringify(name)} is taken` });
      taken.add(name);
    }
  }
  if (violations.length > 0) throw invalidArgument(violations);
  return collections;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidArgument([{ field: 'file', description: 'must be JSON' }]);
  }
}

/** What clients look a collection up by. What is at fault already is empty, and no second fault. */
function namesOf({ id, title, alias = '' }: Omit<DeclaredCollection, 'filter'>): string[] {
  return [id, title, alias].filter((name) => name !== '');
}

function parseCollection(item: unknown, path: string, violations: FieldViolation[]): DeclaredCollection {
  const members: Record<string, unknown> = typeof item === 'object' && item !== null ? { ...item } : {};
  const read = (name: string, isValid: (text: string) => boolean, wanted: string): string => {
    const value = members[name];
    if (typeof value === 'string' && isValid(value)) return value;
    violations.push({ field: `${path}.${name}`, description: `must be ${wanted}` });
    return '';
  };
  const isText = (text: string) => text.trim() !== '' && text.length <= TEXT_LIMIT;
  for (const name of Object.keys(members)) {
    if (!MEMBERS.includes(name))
      violations.push({ field: `${path}.${name}`, description: 'is not a member of a collection' });
  }
  return {
    id: read('id', (text) => UUID_4.test(text), 'a lower-case UUID of version 4'),
    title: read('title', isText, 'a text'),
    description: read('description', isText, 'a text'),
    ...(members.alias === undefined
      ? {}
      : {
          alias: read('alias', (text) => ALIAS.test(text), 'letters, digits, dots, underscores and hyphens'),
        }),
    filter: parseFilter('filter' in members ? members.filter : {}, `${path}.filter`, violations),
  };
}

function parseFilter(
  value: unknown,
  path: string,
  violations: FieldViolation[],
): DeclaredCollection['filter'] {
  for (const field of unknownMembers(value, IndicatorFilterSchema, path))
    violations.push({ field, description: 'is not a member of a filter' });
  try {
    const filter = toFilter(decodeFilter(Buffer.from(JSON.stringify(value))));
    violations.push(
      ...filterViolations(filter, {
        minConfidenceScore: `${path}.minConfidenceScore`,
        lastSeenWindow: `${path}.lastSeenWindow`,
        createdWindow: `${path}.createdAfter`,
      }),
    );
    return filter;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    for (const { field, description } of error.details.violations ?? []) {
      violations.push({ field: `${path}.${field}`, description });
    }
    return MATCH_ALL;
  }
}

/** Paths of the members of a message, and of messages in it, that the contract does not have. */
function unknownMembers(value: unknown, message: DescMessage, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const field = message.fields.find((field) => field.name === name || field.jsonName === name);
    if (field === undefined) return [`${path}.${name}`];
    if (field.message === undefined || isTimestamp(field.message)) return [];
    return unknownMembers(member, field.message, `${path}.${name}`);
  });
}
