// A store in a folder of its own, for tests.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../domain/instant.ts';
import type { OpenedStore } from '../contract/rule.ts';
import type { Stores } from '../stores.ts';
import { openSqliteStores } from './open.ts';

export interface TemporaryStore extends OpenedStore {
  /** The database file. */
  readonly path: string;
}

export async function openTemporaryStore(clock: Clock): Promise<TemporaryStore> {
  const folder = mkdtempSync(join(tmpdir(), 'tis-store-'));
  const path = join(folder, 'tis.db');
  const openers: Stores[] = [];
  const another = async () => {
    const stores = await openSqliteStores(path, clock);
    openers.push(stores);
    return stores;
  };
  // A test may have closed some itself.
  const closeAll = () => Promise.allSettled(openers.splice(0).map((stores) => stores.close()));
  return {
    path,
    stores: await another(),
    another,
    reopen: async () => {
      await closeAll();
      return another();
    },
    dispose: async () => {
      await closeAll();
      rmSync(folder, { recursive: true });
    },
  };
}
