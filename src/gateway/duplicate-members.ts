// JSON objects that name a member twice: readers disagree on which one counts, so two parties can be shown two claims
// (RFC 8725 §2.4, RFC 7515 §4).

/** A JSON string, and the colon that makes it the name of a member. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * Whether an object at any depth names a member twice. Parsing keeps one of them, so the names in the text are then
 * more than the names in the value.
 * @param text valid JSON. @param value what JSON.parse made of it.
 */
export function hasDuplicateMembers(text: string, value: unknown): boolean {
  let written = 0;
  for (const [, colon] of text.matchAll(STRING)) if (colon !== undefined) written++;
  return written !== countMembers(value);
}

/** Without recursion: the depth is the sender's choice. */
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
