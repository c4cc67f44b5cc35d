// Query parameters as ProtoJSON, so that one decoder judges queries and bodies (google.api.http: the fields of a
// request that are neither in its path nor in its body). Names are dotted paths in either spelling. Unknown names are
// ignored. A list repeats its name. A second value for a single field is a fault, as in JSON.

import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { invalidArgument } from '../domain/errors.ts';
import { isTimestamp } from './field-types.ts';

/** The part of a query about one field: its values, or its members. */
interface Branch {
  readonly field: DescField;
  /** In JSON. */
  readonly values: string[];
  readonly members: Map<string, Branch>;
}

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/**
 * @param query the query of the URL without the question mark.
 * @param bound names of fields that the path gives. Copies in the query are ignored.
 * @returns the JSON of the message.
 * @throws ServiceError `invalid_argument` for a query that cannot be parsed.
 */
export function queryToJson(message: DescMessage, query: string, bound: readonly string[]): string {
  const root = new Map<string, Branch>();
  for (const [name, value] of parsePairs(query)) {
    const branch = branchAt(message, root, name.split('.'));
    if (branch !== undefined) branch.values.push(jsonValue(branch.field, value));
  }
  for (const name of bound) root.delete(name);
  return membersJson(root);
}

function* parsePairs(query: string): Generator<[name: string, value: string]> {
  if (query.includes(';')) throw malformed("';' does not separate parameters");
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const nameEnd = equals === -1 ? pair.length : equals;
    yield [unescapePart(pair.slice(0, nameEnd)), unescapePart(pair.slice(nameEnd + 1))];
  }
}

function unescapePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw malformed('has a broken percent escape');
  }
}

function malformed(description: string): Error {
  return invalidArgument([{ field: 'query', description }], 'MALFORMED_QUERY');
}

/** Follows a path and adds the missing branches. Undefined when the path leads to no field. */
function branchAt(
  root: DescMessage,
  members: Map<string, Branch>,
  path: readonly string[],
): Branch | undefined {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = root;
  for (const name of path) {
    const field: DescField | undefined = message?.fields.find(
      (one) => one.name === name || one.jsonName === name,
    );
    if (field === undefined) return undefined;
    fields.push(field);
    message = field.fieldKind === 'message' && !isTimestamp(field.message) ? field.message : undefined;
  }
  let branch: Branch | undefined;
  for (const field of fields) {
    const siblings: Map<string, Branch> = branch?.members ?? members;
    branch = siblings.get(field.jsonName) ?? { field, values: [], members: new Map() };
    siblings.set(field.jsonName, branch);
  }
  return branch;
}

/** A string is right for most types. Booleans and enum numbers have other forms in a query. */
function jsonValue(field: DescField, text: string): string {
  if (field.scalar === ScalarType.BOOL && TRUE.has(text)) return 'true';
  if (field.scalar === ScalarType.BOOL && FALSE.has(text)) return 'false';
  if (field.enum !== undefined && /^(?:0|[1-9]\d{0,9})$/.test(text)) return text;
  return JSON.stringify(text);
}

function membersJson(members: ReadonlyMap<string, Branch>): string {
  const json: string[] = [];
  for (const [name, branch] of members) {
    if (branch.field.fieldKind === 'list') json.push(`"${name}":[${branch.values.join()}]`);
    // Several values repeat the member, which the decoder refuses.
    else json.push(...branch.values.map((value) => `"${name}":${value}`));
    if (branch.members.size > 0) json.push(`"${name}":${membersJson(branch.members)}`);
  }
  return `{${json.join()}}`;
}
