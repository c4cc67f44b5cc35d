// Declaring collections: what the configuration names is kept in the store, so that every process publishes into the
// same ones, and is filled with what was published before.

import { readFileSync } from 'node:fs';
import { parseDeclaredCollections } from './api/declared-collections.ts';
import { ConfigError } from './config.ts';
import { ServiceError } from './domain/errors.ts';
import { type DeclaredCollection, ICS_COLLECTION } from './feed/collections.ts';
import { indicatorStixId } from './feed/stix-ids.ts';
import type { Seq, StoredCollection, Stores } from './store/stores.ts';

/** Indicators that go into a collection in one transaction: others wait for it. */
const FILL_BATCH = 500;

/**
 * Resolves once the collections in use are filled.
 * @param path of the file that declares them. Without one, those of the last file stay.
 * @throws ConfigError when the file cannot be used.
 */
export async function declareCollections(stores: Stores, path: string | undefined): Promise<void> {
  const declared = path === undefined ? undefined : readDeclarations(path);
  const collections = [ICS_COLLECTION, ...(declared ?? (await keptCollections(stores)))];
  const unfilled = await stores.write(async (tx) => {
    const missing: DeclaredCollection[] = [];
    for (const collection of collections) {
      if (!(await tx.collections.declare(stored(collection)))) missing.push(collection);
    }
    if (declared !== undefined) await tx.collections.retire(collections.map(({ id }) => id));
    return missing;
  });
  for (const collection of unfilled) await fill(stores, collection);
}

/** The declared collections in use, as the store has them. */
export async function storedCollections(
  stores: Pick<Stores, 'feed'>,
): Promise<readonly DeclaredCollection[]> {
  return (await stores.feed.collections()).map(definitionOf);
}

/** The collections that a process publishes into. Another one may declare some while it runs. */
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

function definitionOf({ definition }: StoredCollection): DeclaredCollection {
  return JSON.parse(definition);
}

async function keptCollections(stores: Stores): Promise<readonly DeclaredCollection[]> {
  return (await storedCollections(stores)).filter(({ id }) => id !== ICS_COLLECTION.id);
}

function stored(collection: DeclaredCollection): StoredCollection {
  return { id: collection.id, definition: JSON.stringify(collection) };
}

function readDeclarations(path: string): readonly DeclaredCollection[] {
  try {
    return parseDeclaredCollections(readFileSync(path, 'utf8'));
  } catch (error) {
    const faults = error instanceof ServiceError ? error.details.violations : undefined;
    const reasons = faults?.map(({ field, description }) => `${field}: ${description}`) ?? ['cannot be read'];
    throw new ConfigError(reasons.map((reason) => `TIS_COLLECTIONS: ${path}: ${reason}`));
  }
}

/** What is published meanwhile goes in by itself. Interrupted, it begins again at the next start. */
async function fill(stores: Stores, { id, filter }: DeclaredCollection): Promise<void> {
  let before: Seq | undefined;
  let more = true;
  while (more) {
    const result = await stores.indicators.search({ filter, terms: [], ceiling: 'RED' }, FILL_BATCH, before);
    const objects = result.rows.map(({ document }) => indicatorStixId(JSON.parse(document).id));
    await stores.write((tx) => tx.collections.fill(id, objects));
    before = result.rows.at(-1)?.seq;
    more = result.more;
  }
  await stores.write((tx) => tx.collections.filled(id));
}
