// Bounded state of a reader between records. A log may have more sessions than the memory holds.

/** A map of at most `limit` entries. It drops the entry that was set longest ago. */
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
    // Deleted first, because a Map keeps the order of the first insertion. A key that is set again counts as new.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
  }

  /** True if the key had an entry. */
  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }
}
