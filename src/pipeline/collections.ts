// The declared collections: they are stored so that every process publishes into the same ones, filled with what was
// published before, and read again in each transaction that publishes.

import { isDeepStrictEqual } from 'node:util';
import { CEILINGS, readersAt } from '../domain/audience.ts';
import { type DeclaredCollection, ICS_COLLECTION } from '../domain/collection.ts';
import { MATCH_ALL } from '../domain/filter.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { indicatorStixId } from '../stix/objects/stix-object.ts';
import type { StoredCollection } from '../store/feed.ts';
import type { Stores } from '../store/stores.ts';

/** Indicators that are put into a collection in one transaction. Other writers wait that long. */
const FILL_BATCH = 500;

/**
 * Stores the declarations and resolves once every collection in use is filled. Processes that do this at the same time
 * all walk through the indicators; a second fill of one object changes nothing.
 * @param declared besides the collection of control systems, which always exists. Undefined keeps the stored ones.
 */
export async function declareCollections(
  stores: Stores,
  declared: readonly DeclaredCollection[] | undefined,
): Promise<void> {
  const unfilled = await stores.write(async (tx) => {
    const known = (await tx.collections.declared()).map(definitionOf);
    const kept = known.filter(({ id }) => id !== ICS_COLLECTION.id);
    const collections = [ICS_COLLECTION, ...(declared ?? kept)];
    const missing: DeclaredCollection[] = [];
    for (const collection of collections) {
      const before = known.find(({ id }) => id === collection.id);
      if (before !== undefined && !hasSameMembers(before, collection))
        await tx.collections.outgrown(collection.id);
      const definition = JSON.stringify(collection);
      const isFilled = await tx.collections.declare({ id: collection.id, definition });
      if (!isFilled) missing.push(collection);
    }
    if (declared !== undefined) await tx.collections.retire(collections.map(({ id }) => id));
    return missing;
  });
  for (const collection of unfilled) await fill(stores, collection);
}

/** The filter alone decides which indicators belong to a collection. */
function hasSameMembers(one: DeclaredCollection, other: DeclaredCollection): boolean {
  return isDeepStrictEqual(one.filter, other.filter);
}

/** The worker adds what is published meanwhile. An interrupted fill begins again at the next start. */
async function fill(stores: Stores, collection: DeclaredCollection): Promise<void> {
  const { id } = collection;
  for (const ceiling of CEILINGS) await fillFor(stores, collection, ceiling);
  await stores.write(async (tx) => {
    const now = (await tx.collections.declared()).map(definitionOf).find((declared) => declared.id === id);
    // Another process may have declared it with another filter meanwhile. That process fills it.
    if (now !== undefined && hasSameMembers(now, collection)) await tx.collections.filled(id);
  });
}

/** Puts in what was published for the readers of a ceiling, and whose indicator matches as they see it. */
async function fillFor(
  stores: Stores,
  { id, filter }: DeclaredCollection,
  ceiling: TlpMarking,
): Promise<void> {
  const put = (objects: readonly string[]) =>
    stores.write((tx) => tx.collections.fill(id, objects, readersAt(ceiling)));
  let batch: string[] = [];
  for await (const { indicator } of stores.indicators.each({ filter, terms: [], ceiling })) {
    batch.push(indicatorStixId(indicator.id));
    if (batch.length < FILL_BATCH) continue;
    await put(batch);
    batch = [];
  }
  await put(batch);
}

/** The declared collections that the store has now. */
export async function storedCollections(
  stores: Pick<Stores, 'feed'>,
): Promise<readonly DeclaredCollection[]> {
  return (await stores.feed.collections()).map(definitionOf);
}

/** An earlier version of this program may have stored a filter without the members that were added since. */
export function definitionOf({ definition }: StoredCollection): DeclaredCollection {
  const collection = JSON.parse(definition);
  return { ...collection, filter: { ...MATCH_ALL, ...collection.filter } };
}

/** The collections that a process publishes into. Another process may declare more while this one runs. */
export class CollectionsInUse {
  #stored: readonly StoredCollection[] = [];
  #list: readonly DeclaredCollection[] = [];
  #changes = 0;

  get list(): readonly DeclaredCollection[] {
    return this.#list;
  }

  /** Takes over the stored collections and returns how often they have changed so far. */
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
