// A list of JSON texts as bytes, within what stands around it.

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');

/**
 * The texts become bytes one by one: joining them to one string first, to encode that, costs three times as much.
 * @param items each a JSON value.
 */
export function jsonList(before: string, items: readonly string[], behind: string): Buffer {
  const pieces = [Buffer.from(before)];
  for (const item of items) pieces.push(pieces.length === 1 ? OPEN : COMMA, Buffer.from(item));
  pieces.push(Buffer.from(items.length === 0 ? `[]${behind}` : `]${behind}`));
  return Buffer.concat(pieces);
}
