// The JSON of a token: header and claims of a compact JWS, refused if a member is given twice. Readers disagree on which of the
// two counts, so two parties could see two different claims (RFC 8725 §2.4, RFC 7515 §4).

import { ClaimError } from './token-claims.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Header and claims before the signature is checked. They serve to refuse a token, never to accept one. */
export function readUnverified(token: string): [header: JsonObject, claims: JsonObject] {
  const parts = token.split('.');
  if (parts.length !== 3) throw new ClaimError('not a compact JWS');
  const [header = '', claims = ''] = parts;
  return [readObject(header), readObject(claims)];
}

function readObject(encoded: string): JsonObject {
  const text = Buffer.from(encoded, 'base64url').toString();
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ClaimError('not a JSON object');
  if (hasDuplicateMembers(text, value)) throw new ClaimError('a member is given twice');
  return value as JsonObject;
}

/** Hides the message of JSON.parse, which quotes its input. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ClaimError('not JSON');
  }
}

/** A JSON string, with the colon that makes it the name of a member. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * Whether an object at any depth names a member twice. JSON.parse keeps one of the two, so the text has more names than the
 * value.
 * @param text valid JSON. @param value the result of JSON.parse.
 */
export function hasDuplicateMembers(text: string, value: unknown): boolean {
  let written = 0;
  for (const [, colon] of text.matchAll(STRING)) if (colon !== undefined) written++;
  return written !== countMembers(value);
}

/** Without recursion, because the sender chooses the depth. */
function countMembers(value: unknown): number {
  let count = 0;
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const members: unknown[] = Object.values(next);
    if (!Array.isArray(next)) count += members.length;
    for (const member of members) open.push(member);
  }
  return count;
}
