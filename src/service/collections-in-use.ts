// The declared collections in use, as the store has them: every process publishes into the same ones.

import type { DeclaredCollection } from '../domain/collection.ts';
import { MATCH_ALL } from '../domain/filter.ts';
import type { StoredCollection, Stores } from '../store/stores.ts';

export async function storedCollections(
  stores: Pick<Stores, 'feed'>,
): Promise<readonly DeclaredCollection[]> {
  return (await stores.feed.collections()).map(definitionOf);
}

/** A version of this program that wrote it earlier may not have known every member that a filter has now. */
export function definitionOf({ definition }: StoredCollection): DeclaredCollection {
  const collection = JSON.parse(definition);
  return { ...collection, filter: { ...MATCH_ALL, ...collection.filter } };
}

/** Those that a process publishes into. Another one may declare some while it runs. */
export class CollectionsInUse {
  #stored: readonly StoredCollection[] = [];
  #list: readonly DeclaredCollection[] = [];
  #changes = 0;

  get list(): readonly DeclaredCollection[] {
    return this.#list;
  }

  /** Takes over what the store has; returns how often that was something else. */
  sync(stored: readonly StoredCollection[]): number {
    const same = ({ id, definition }: StoredCollection, index: number) =>
      this.#stored[index]?.id === id && this.#stored[index]?.definition === definition;
    if (stored.length === this.#stored.length && stored.every(same)) return this.#changes;
    this.#stored = stored;
    this.#list = stored.map(definitionOf);
    this.#changes += 1;
    return this.#changes;
  }
}
