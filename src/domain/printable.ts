// Text that is safe to show: an event, a file name or a note must not give a terminal orders, and must not change the
// order in which readers see the text.

/**
 * Control characters (C0, DEL, C1), bidi controls and all other characters that nobody sees: formats, line and paragraph
 * separators, private use, unassigned, lone surrogates. Words and emoji need the two joiners, U+200C and U+200D.
 */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu;
const UNPRINTABLE_IN_LINES = new RegExp(`(?!\\n)${UNPRINTABLE.source}`, 'gu');

/** Replaces each unprintable character by the escape of JSON, such as `\u001b`. The text is then one line. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeOf);
}

/** The same, but line breaks stay. JSON remains JSON with the same meaning. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE_IN_LINES, escapeOf);
}

function escapeOf(character: string): string {
  const escaped = JSON.stringify(character).slice(1, -1);
  if (escaped !== character) return escaped;
  // JSON.stringify leaves DEL, C1 and formats as they are.
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
