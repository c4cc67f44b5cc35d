// State that readers keep between records, bounded: a log may name more sessions than a process can remember.

/** A map that forgets the entry set longest ago once it holds `limit` entries. */
export class RecentMap<Key, Value> {
  readonly #limit: number;
  readonly #entries = new Map<Key, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    // Deleted first, so that a key set again counts as new: a Map lists its keys in the order of their first insertion.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
  }

  /** Whether there was such an entry. */
  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }
}
