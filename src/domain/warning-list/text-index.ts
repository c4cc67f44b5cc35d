// Many lists of texts in one map: which lists have a text is one look-up.

export interface TextIndex {
  /** False when the text is empty, which is on no list. */
  add(text: string, owner: number): boolean;
  /** The numbers of the lists that have the text. */
  owners(text: string): readonly number[];
}

const NOBODY: readonly number[] = [];

/** Most texts are on one list, and the others on few combinations of lists: each combination is kept once. */
export function createTextIndex(): TextIndex {
  const texts = new Map<string, readonly number[]>();
  const combinations = new Map<string, readonly number[]>();
  return {
    add: (text, owner) => {
      if (text === '') return false;
      const known = texts.get(text) ?? NOBODY;
      if (known.includes(owner)) return true;
      const name = `${known.join()},${owner}`;
      const owners = combinations.get(name) ?? [...known, owner];
      combinations.set(name, owners);
      texts.set(text, owners);
      return true;
    },
    owners: (text) => texts.get(text) ?? NOBODY,
  };
}
