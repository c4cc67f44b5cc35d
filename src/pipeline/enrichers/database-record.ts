// Reading members of a database record whose shape depends on who made the database.

/** Long enough for every name there is; what is longer is damage. */
const TEXT_LIMIT = 200;

/** The member at a path such as `country.iso_code`; undefined when something on the way is not there. */
export function memberAt(record: unknown, path: string): unknown {
  let member = record;
  for (const name of path.split('.')) {
    if (typeof member !== 'object' || member === null || !Object.hasOwn(member, name)) return undefined;
    member = Reflect.get(member, name);
  }
  return member;
}

/** The first of these members that is a text with something in it. */
export function textAt(record: unknown, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const member = memberAt(record, path);
    if (typeof member !== 'string') continue;
    const text = member
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, TEXT_LIMIT);
    if (text !== '') return text;
  }
  return undefined;
}

/** The first of these members that is a number, or the text of one, within bounds. */
export function numberAt(
  record: unknown,
  paths: readonly string[],
  min: number,
  max: number,
): number | undefined {
  for (const path of paths) {
    const member = memberAt(record, path);
    const number = typeof member === 'string' && /^-?\d/.test(member.trim()) ? Number(member) : member;
    if (typeof number === 'number' && number >= min && number <= max) return number;
  }
  return undefined;
}
