// A queue in which callers take turns: however much one of them sends, the next turn of another comes after one of its own.

export class FairQueue<Item> {
  /** Items by caller, in the order in which the callers have their turns. No list is empty. */
  readonly #waiting = new Map<string, Item[]>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(caller: string, item: Item): void {
    const items = this.#waiting.get(caller);
    if (items === undefined) this.#waiting.set(caller, [item]);
    else items.push(item);
  }

  /** Takes the first item of the first caller whose first item is accepted. That caller has its next turn last. */
  take(accepts: (caller: string, item: Item) => boolean): Item | undefined {
    for (const [caller, items] of this.#waiting) {
      const [first] = items;
      if (first === undefined || !accepts(caller, first)) continue;
      items.shift();
      this.#waiting.delete(caller);
      if (items.length > 0) this.#waiting.set(caller, items);
      return first;
    }
    return undefined;
  }

  remove(caller: string, item: Item): void {
    const items = this.#waiting.get(caller);
    const place = items?.indexOf(item) ?? -1;
    if (items === undefined || place === -1) return;
    items.splice(place, 1);
    if (items.length === 0) this.#waiting.delete(caller);
  }
}
