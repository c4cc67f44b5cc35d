// Reads the file that declares collections (TIS_COLLECTIONS).

import { readFileSync } from 'node:fs';
import type { DeclaredCollection } from '../domain/collection.ts';
import { ServiceError } from '../domain/errors.ts';
import { parseDeclaredCollections } from '../protojson/declared-collections.ts';
import { ConfigError } from '../variables.ts';

/** @throws ConfigError that lists every fault of the file. */
export function readCollectionsFile(path: string): readonly DeclaredCollection[] {
  try {
    return parseDeclaredCollections(readFileSync(path, 'utf8'));
  } catch (error) {
    const faults = error instanceof ServiceError ? error.details.violations : undefined;
    const reasons = faults?.map(({ field, description }) => `${field}: ${description}`) ?? ['cannot be read'];
    throw new ConfigError(reasons.map((reason) => `TIS_COLLECTIONS: ${path}: ${reason}`));
  }
}
