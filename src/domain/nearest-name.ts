// Finds the name that a misspelt one probably means.

/** Longer text is not compared: it is no misspelt name, and comparing takes time. */
const MAX_LENGTH = 64;

/**
 * The name with the fewest changed letters, the first of several. Case and separators do not count. Undefined if there is
 * no name, or if the text is too long.
 * @param share of the letters that may differ, 0 to 1.
 */
export function nearestName(text: string, names: Iterable<string>, share = 1): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const wanted = folded(text);
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const known = folded(name);
    const longer = Math.max(wanted.length, known.length);
    // The difference of the lengths is the least distance.
    if (Math.abs(wanted.length - known.length) >= least) continue;
    const distance = editDistance(wanted, known);
    if (distance < least && distance <= share * longer) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[_\- ]/g, '');
}

/** Levenshtein distance: letters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
