// The SQLite driver. Its address is a data folder. It loads each part on first use: most commands need only one.

import type { StoreDriver } from '../driver.ts';
import { LAST_COLLECTION } from './feed/listing.ts';
import { dataFiles, exposedPaths, fileExists } from './files.ts';

export function createSqliteDriver(dataDir: string): StoreDriver {
  const { store, usage } = dataFiles(dataDir);
  const openStores: StoreDriver['openStores'] = async (clock) =>
    (await import('./open.ts')).openSqliteStores(store, clock);
  const openUsage: StoreDriver['openUsage'] = async () =>
    (await import('./usage/open-usage.ts')).openSqliteUsage(usage);
  return {
    limits: { collections: LAST_COLLECTION },
    exists: async () => (await import('./connection.ts')).guarded(fileExists)(store),
    exposed: async () => (await import('./connection.ts')).guarded(exposedPaths)(dataDir),
    openStores,
    openUsage,
    openUsageReader: async () => (await import('./usage/open-usage.ts')).openSqliteUsageReader(usage),
    maintenance: {
      // Opening a file brings its schema up to date.
      migrate: async (clock) => {
        await (await openStores(clock)).close();
        await (await openUsage()).close();
      },
      backUp: async (to, clock, onProgress) =>
        (await import('./maintenance/backup.ts')).backUp(dataDir, to, clock, onProgress),
      restore: async (from, onProgress) =>
        (await import('./maintenance/restore.ts')).restore(from, dataDir, onProgress),
      check: async (onProgress) =>
        (await import('./maintenance/check.ts')).checkDataFolder(dataDir, onProgress),
    },
  };
}
