// Query parameters as ProtoJSON, so that one decoder judges queries and bodies (google.api.http: the fields of a
// request that are neither in its path nor in its body). Names are dotted paths in either spelling. A list repeats its
// name. A second value for a single field is a fault, as in JSON. An unknown name becomes an unknown member.

import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { invalidArgument } from '../domain/errors.ts';
import { isTimestamp } from './field-types.ts';
import { Violations } from './violations.ts';

/** The part of a query about one field: its values, or its members. */
interface Branch {
  /** Undefined if the message has no such field. */
  readonly field: DescField | undefined;
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
    const branch = branchAt(message, root, name);
    // The decoder names an unknown member once.
    if (branch.field !== undefined || branch.values.length === 0)
      branch.values.push(jsonValue(branch.field, value));
  }
  for (const name of bound) root.delete(name);
  return membersJson(root);
}

/**
 * For an operation that has its whole request in the body.
 * @throws ServiceError `invalid_argument` that names every parameter of the query.
 */
export function refuseParameters(query: string): void {
  if (query === '') return;
  const violations = new Violations();
  for (const name of new Set([...parsePairs(query)].map(([name]) => name)))
    violations.addMember('is not a query parameter; send it in the body', name);
  violations.throwIfAny();
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

/** Follows a dotted path and adds the missing branches. What the message does not have is one branch without a field. */
function branchAt(root: DescMessage, members: Map<string, Branch>, path: string): Branch {
  let message: DescMessage | undefined = root;
  let siblings = members;
  for (let rest = path; ; ) {
    const dot = rest.indexOf('.');
    const name = dot === -1 ? rest : rest.slice(0, dot);
    const field: DescField | undefined = message?.fields.find(
      (one) => one.name === name || one.jsonName === name,
    );
    const key: string = field?.jsonName ?? rest;
    const branch: Branch = siblings.get(key) ?? { field, values: [], members: new Map() };
    siblings.set(key, branch);
    if (field === undefined || dot === -1) return branch;
    message = field.fieldKind === 'message' && !isTimestamp(field.message) ? field.message : undefined;
    siblings = branch.members;
    rest = rest.slice(dot + 1);
  }
}

/** A string is right for most types. Booleans and enum numbers have other forms in a query. */
function jsonValue(field: DescField | undefined, text: string): string {
  if (field?.scalar === ScalarType.BOOL && TRUE.has(text)) return 'true';
  if (field?.scalar === ScalarType.BOOL && FALSE.has(text)) return 'false';
  if (field?.enum !== undefined && /^(?:0|[1-9]\d{0,9})$/.test(text)) return text;
  return JSON.stringify(text);
}

function membersJson(members: ReadonlyMap<string, Branch>): string {
  const json: string[] = [];
  for (const [member, { field, values, members: inner }] of members) {
    const name = field === undefined ? JSON.stringify(member) : `"${member}"`;
    if (field?.fieldKind === 'list' && values.length > 0) json.push(`${name}:[${values.join()}]`);
    // Several values repeat the member, which the decoder refuses.
    else json.push(...values.map((value) => `${name}:${value}`));
    if (inner.size > 0) json.push(`${name}:${membersJson(inner)}`);
  }
  return `{${json.join()}}`;
}
