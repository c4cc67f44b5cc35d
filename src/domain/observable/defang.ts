// Turns defanged observables (`hxxp://evil[.]example`) into plain ones. People and feeds defang them against accidental
// clicks. The service accepts them in every value and search term.

/** Opening bracket by closing bracket. */
const BRACKETS: ReadonlyMap<string, string> = new Map([
  [']', '['],
  [')', '('],
  ['}', '{'],
]);

/** Text between a pair of brackets, and its meaning. */
const INSIDE: ReadonlyMap<string, string> = new Map([
  ['.', '.'],
  ['dot', '.'],
  ['@', '@'],
  ['at', '@'],
  [':', ':'],
  ['://', '://'],
]);
const LONGEST_INSIDE = 3;

/** Every defanged form contains one of these. Nearly all text has none and is returned unchanged. */
const SUSPECT = /[\])}\\]|hxxp|fxp/i;

/** A scheme: a whole word before a colon. */
const DEFANGED_SCHEME = /(?<![a-z0-9])(?:(hxxp)|fxp)(?=s?:)/gi;

/**
 * Undoes `hxxp:`, `hxxps:`, `fxp:`, `[.]`, `(dot)`, `[at]`, `[://]` and similar forms in any brackets, and `a\.b`.
 * Removes spaces around a bracketed dot or at-sign (`user [at] example [dot] com`). Idempotent, linear in the length.
 */
export function refang(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return unwrap(text).replace(DEFANGED_SCHEME, (_, http: string | undefined) => (http ? 'http' : 'ftp'));
}

/**
 * One pass that replaces forms at the end of its own output. A nested form (`[[.]]`) is therefore undone in the same
 * pass, which makes refang idempotent.
 */
function unwrap(text: string): string {
  const out: string[] = [];
  let skipSpaces = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (skipSpaces && char === ' ') continue;
    const plain = closeForm(out, char);
    skipSpaces = plain === '.' || plain === '@';
    if (skipSpaces) while (out.at(-1) === ' ') out.pop();
    const written = plain ?? char;
    if (written === '.') dropEscape(out);
    for (const part of written) out.push(part);
  }
  return out.join('');
}

/**
 * Removes the form that `close` completes from the end of `out` and returns its meaning; undefined if there is none.
 */
function closeForm(out: string[], close: string): string | undefined {
  const open = BRACKETS.get(close);
  if (open === undefined) return undefined;
  for (let length = 1; length <= LONGEST_INSIDE; length++) {
    const start = out.length - length;
    if (out[start - 1] !== open) continue;
    const plain = INSIDE.get(out.slice(start).join('').toLowerCase());
    if (plain === undefined) continue;
    out.length = start - 1;
    return plain;
  }
  return undefined;
}

/** Drops the backslashes of `a\.`. Those of `..\.` or of a leading `\.` belong to a path and stay. */
function dropEscape(out: string[]): void {
  let end = out.length;
  while (out[end - 1] === '\\') end--;
  if (end < out.length && /[\p{L}\p{N}]/u.test(out[end - 1] ?? '')) out.length = end;
}
