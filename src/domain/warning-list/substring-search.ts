// Finding which of many texts a value contains, without trying them one by one.

export interface SubstringSearch {
  /** The first text contained, by where it begins, then by the order the texts were given in. */
  find(value: string): string | undefined;
  /** Texts too short to mean anything, which are left out. */
  readonly unread: number;
}

/** Two letters are in almost every value. */
const SHORTEST = 3;
/** With so many first letters hardly two texts share them. */
const LONGEST_HEAD = 8;

/** Texts by their first letters, as many as the shortest text has: each place of a value is looked up once. */
export function createSubstringSearch(texts: readonly string[]): SubstringSearch {
  const usable = texts.filter(({ length }) => length >= SHORTEST);
  let width = LONGEST_HEAD;
  for (const { length } of usable) width = Math.min(width, length);
  const heads = new Map<string, string[]>();
  for (const text of usable) {
    const head = text.slice(0, width);
    const others = heads.get(head);
    if (others === undefined) heads.set(head, [text]);
    else others.push(text);
  }
  return {
    unread: texts.length - usable.length,
    find: (value) => {
      for (let place = 0; place + width <= value.length; place++) {
        const text = heads
          .get(value.slice(place, place + width))
          ?.find((one) => value.startsWith(one, place));
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}
