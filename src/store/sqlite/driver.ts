// The SQLite driver. Its address is a data folder. It loads each part on first use: most commands need only one.

import type { StoreDriver } from '../driver.ts';
import { LAST_COLLECTION } from './feed/listing.ts';
import { bytesIn, dataFiles, exposedPaths, fileHasContent } from './files.ts';
import { guarded } from './store-errors.ts';

export function createSqliteDriver(dataDir: string): StoreDriver {
  const files = dataFiles(dataDir);
  const openStores: StoreDriver['openStores'] = async (clock, caches) =>
    (await import('./open.ts')).openSqliteStores(files, clock, caches);
  const openUsage: StoreDriver['openUsage'] = async (caches) =>
    (await import('./usage/open-usage.ts')).openSqliteUsage(files, caches);
  return {
    limits: { collections: LAST_COLLECTION },
    exists: guarded(() => [files.store, files.usage].some(fileHasContent)),
    exposed: guarded(() => exposedPaths(dataDir)),
    openStores,
    openUsage,
    openUsageReader: async (caches) =>
      (await import('./usage/open-usage.ts')).openSqliteUsageReader(files, caches),
    inspection: {
      bytes: guarded(() => bytesIn(files)),
      run: async () => guarded((await import('./maintenance/inspect.ts')).inspect)(files),
    },
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
      renewUsage: async (clock) => {
        const kept = await guarded((await import('./maintenance/renew-usage.ts')).setUsageAside)(
          files,
          clock,
        );
        await (await openUsage()).close();
        return kept;
      },
      check: async (onProgress) =>
        (await import('./maintenance/check.ts')).checkDataFolder(dataDir, onProgress),
    },
  };
}
