// Defanged observables (`hxxp://evil[.]example`) back to plain ones. People and feeds write them so that nobody
// clicks by accident; the service understands them wherever it is given a value or a search term.

/** Opening bracket by closing bracket. */
const BRACKETS: ReadonlyMap<string, string> = new Map([
  [']', '['],
  [')', '('],
  ['}', '{'],
]);

/** What may stand between a pair of brackets, and what it means. */
const INSIDE: ReadonlyMap<string, string> = new Map([
  ['.', '.'],
  ['dot', '.'],
  ['@', '@'],
  ['at', '@'],
  [':', ':'],
  ['://', '://'],
]);
const LONGEST_INSIDE = 3;

/** Every form contains one of these; text without them, nearly all text, is returned as it is. */
const SUSPECT = /[\])}\\]|hxxp|fxp/i;

/** A scheme only: followed by a colon and not the end of a longer word. */
const DEFANGED_SCHEME = /(?<![a-z0-9])(?:(hxxp)|fxp)(?=s?:)/gi;

/**
 * Undoes `hxxp:`, `hxxps:`, `fxp:`, `[.]`, `(dot)`, `[at]`, `[://]` and the like in any brackets, and `a\.b`.
 * Spaces around a bracketed dot or at-sign go too (`user [at] example [dot] com`). Idempotent, linear in the length.
 */
export function refang(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return unwrap(text).replace(DEFANGED_SCHEME, (_, http: string | undefined) => (http ? 'http' : 'ftp'));
}

/**
 * One pass that rewrites the end of what it has written so far. A form inside a form (`[[.]]`) is therefore undone
 * in the same pass, which is what makes refang idempotent without running it until nothing changes.
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

/** Takes the form that `close` completes off the end of `out` and gives its meaning; undefined when there is none. */
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

/** Drops the backslashes of `a\.`; those of `..\.` or of a leading `\.` belong to a path and stay. */
function dropEscape(out: string[]): void {
  let end = out.length;
  while (out[end - 1] === '\\') end--;
  if (end < out.length && /[\p{L}\p{N}]/u.test(out[end - 1] ?? '')) out.length = end;
}
