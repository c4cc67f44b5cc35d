// Declaring collections: what the configuration names is kept in the store, so that every process publishes into the
// same ones, and is filled with what was published before.

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../config.ts';
import { type DeclaredCollection, ICS_COLLECTION } from '../domain/collection.ts';
import { ServiceError } from '../domain/errors.ts';
import { parseDeclaredCollections } from '../protojson/declared-collections.ts';
import { indicatorStixId } from '../stix/objects/stix-ids.ts';
import type { Seq, StoredCollection, Stores } from '../store/stores.ts';
import { definitionOf } from './collections-in-use.ts';

/** Indicators that go into a collection in one transaction: others wait for it. */
const FILL_BATCH = 500;

/**
 * Resolves once the collections in use are filled. Processes that do this at the same time all walk through the
 * indicators; what one has put in, the others find there.
 * @param path of the file that declares them. Without one, those of the last file stay.
 * @throws ConfigError when the file cannot be used.
 */
export async function declareCollections(stores: Stores, path: string | undefined): Promise<void> {
  const declared = path === undefined ? undefined : readDeclarations(path);
  const unfilled = await stores.write(async (tx) => {
    const known = (await tx.collections.declared()).map(definitionOf);
    const kept = known.filter(({ id }) => id !== ICS_COLLECTION.id);
    const collections = [ICS_COLLECTION, ...(declared ?? kept)];
    const missing: DeclaredCollection[] = [];
    for (const collection of collections) {
      const before = known.find(({ id }) => id === collection.id);
      if (before !== undefined && !holdsTheSame(before, collection))
        await tx.collections.outgrown(collection.id);
      if (!(await tx.collections.declare(stored(collection)))) missing.push(collection);
    }
    if (declared !== undefined) await tx.collections.retire(collections.map(({ id }) => id));
    return missing;
  });
  for (const collection of unfilled) await fill(stores, collection);
}

/** The filter alone decides what belongs into a collection. */
function holdsTheSame(one: DeclaredCollection, other: DeclaredCollection): boolean {
  return isDeepStrictEqual(one.filter, other.filter);
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
async function fill(stores: Stores, collection: DeclaredCollection): Promise<void> {
  const { id, filter } = collection;
  let before: Seq | undefined;
  let more = true;
  while (more) {
    const result = await stores.indicators.search({ filter, terms: [], ceiling: 'RED' }, FILL_BATCH, before);
    const objects = result.rows.map(({ document }) => indicatorStixId(JSON.parse(document).id));
    await stores.write((tx) => tx.collections.fill(id, objects));
    before = result.rows.at(-1)?.seq;
    more = result.more;
  }
  await stores.write(async (tx) => {
    const now = (await tx.collections.declared()).map(definitionOf).find((declared) => declared.id === id);
    // Another process may have declared it by another filter meanwhile, and is filling it by that.
    if (now !== undefined && holdsTheSame(now, collection)) await tx.collections.filled(id);
  });
}
