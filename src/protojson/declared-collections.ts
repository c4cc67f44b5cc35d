// The file that declares collections: a JSON array whose filters are IndicatorFilter messages of the contract.

import { z } from 'zod';
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
import { toFilter } from './indicator-filter.ts';
import { createDecoder } from './json-decoder.ts';

/** The `identifier` of TAXII 2.1 §2. Paths compare it in lower case. */
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ALIAS = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const TEXT_LIMIT = 1_000;

const TEXT_RULE = `must be a text of 1 to ${TEXT_LIMIT} characters`;
const TEXT = z.string(TEXT_RULE).refine((text) => text.trim() !== '' && text.length <= TEXT_LIMIT, TEXT_RULE);
const ID_RULE = 'must be a lower-case UUID of version 4';
const ALIAS_RULE = 'must be 1 to 100 letters, digits, dots, underscores and hyphens';

/** The codec of the contract checks the filter. */
const COLLECTION = z.strictObject(
  {
    id: z.string(ID_RULE).regex(UUID_4, ID_RULE),
    title: TEXT,
    description: TEXT,
    alias: z.string(ALIAS_RULE).regex(ALIAS, ALIAS_RULE).optional(),
    filter: z.unknown().optional(),
  },
  'must be an object',
);

const decodeFilter = createDecoder(IndicatorFilterSchema, FIELD_RULES);

/**
 * @throws ServiceError `invalid_argument` naming every fault. A misspelt condition would publish more than the operator
 *   intended.
 */
export function parseDeclaredCollections(text: string): readonly DeclaredCollection[] {
  const list = parseJson(text);
  if (!Array.isArray(list))
    throw invalidArgument([{ field: 'file', description: 'must be an array of collections' }]);
  const violations: FieldViolation[] = [];
  const collections = list.flatMap(
    (item: unknown, index) => parseCollection(item, `[${index}]`, violations) ?? [],
  );
  violations.push(...nameViolations(list));
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

/** Undefined if a member other than the filter has a fault. */
function parseCollection(
  item: unknown,
  path: string,
  violations: FieldViolation[],
): DeclaredCollection | undefined {
  const { data, error } = COLLECTION.safeParse(item);
  for (const issue of error?.issues ?? []) {
    if (issue.code === 'unrecognized_keys') {
      const description = 'is not a member of a collection';
      violations.push(...issue.keys.map((name) => ({ field: `${path}.${name}`, description })));
    } else {
      violations.push({ field: [path, ...issue.path].join('.'), description: issue.message });
    }
  }
  const { filter: declared = {} } =
    typeof item === 'object' && item !== null ? (item as { filter?: unknown }) : {};
  const filter = parseFilter(declared, `${path}.filter`, violations);
  if (data === undefined) return undefined;
  const { id, title, description, alias } = data;
  return { id, title, description, ...(alias === undefined ? {} : { alias }), filter };
}

/** Clients look a collection up by its id, title or alias, so two collections must not share one. */
function nameViolations(list: readonly unknown[]): FieldViolation[] {
  const taken = new Set(
    [SERVICE_GLOBAL_FEED, ICS_COLLECTION, PARTNER_REPORTS].flatMap((one) => [...namesOf(one)]),
  );
  return list.flatMap((item, index) => {
    const names = [...namesOf(item)];
    const violations = names
      .filter((name) => taken.has(name))
      .map((name) => ({ field: `[${index}]`, description: `${JSON.stringify(name)} is taken` }));
    for (const name of names) taken.add(name);
    return violations;
  });
}

/** One collection may use the same name twice. */
function namesOf(item: unknown): Set<string> {
  const { id, title, alias }: { id?: unknown; title?: unknown; alias?: unknown } =
    typeof item === 'object' && item !== null ? item : {};
  return new Set([id, title, alias].filter((name) => typeof name === 'string'));
}

function parseFilter(
  value: unknown,
  path: string,
  violations: FieldViolation[],
): DeclaredCollection['filter'] {
  try {
    const filter = toFilter(decodeFilter(Buffer.from(JSON.stringify(value))));
    violations.push(
      ...filterViolations(filter, {
        minConfidenceScore: `${path}.minConfidenceScore`,
        lastSeenWindow: `${path}.lastSeenWindow`,
        createdWindow: `${path}.createdAfter`,
        countryCodes: `${path}.countryCodes`,
        attackTechniques: `${path}.attackTechniques`,
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
