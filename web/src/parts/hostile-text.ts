// Text of attackers, cut into pieces that are safe to look at: what nobody sees, or what turns other text around, becomes a
// visible escape.

export interface Piece {
  readonly kind: 'text' | 'escape' | 'bracket';
  readonly text: string;
}

/**
 * Controls, formats (also the bidi controls and joiners), separators, private use, unassigned, lone surrogates; spaces that
 * look like the space; what fonts leave out; and marks that are piled on more than three others.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]|(?<=\p{M}{3})\p{M}/u;
/** Brackets of a defanged value. They may look lighter than the value. */
const BRACKETS = /\[[.:@]\]/;
const CUT = new RegExp(`(${BRACKETS.source})|(${UNSEEN.source})`, 'gu');
/** For text of several lines: line breaks and tabs stay. */
const CUT_LINES = new RegExp(`(${BRACKETS.source})|(?![\\n\\t])(${UNSEEN.source})`, 'gu');

/** @param lines whether line breaks and tabs are shown as such. */
export function piecesOf(text: string, lines = false): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(lines ? CUT_LINES : CUT)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    const [found, bracket] = match;
    pieces.push(
      bracket === undefined ? { kind: 'escape', text: escapeOf(found) } : { kind: 'bracket', text: bracket },
    );
    end = match.index + found.length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

/** The same as one string, for names that only screen readers and tooltips use. */
export function visibleText(text: string): string {
  return piecesOf(text)
    .map((piece) => piece.text)
    .join('');
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** @returns the text cut to this many characters, and how many there are. A surrogate pair stays together. */
export function cutText(text: string, limit: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= limit) return { text, isCut: false };
  const end = /[\uD800-\uDBFF]/.test(text[limit - 1] ?? '') ? limit - 1 : limit;
  return { text: text.slice(0, end), isCut: true };
}
