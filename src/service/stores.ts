// Opening what a process stores. This is the one file that names a store driver; the address of the store selects it.

import type { Config } from '../config.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import type { CacheSizes, StoreDriver } from '../store/driver.ts';
import type { Stores } from '../store/stores.ts';
import type { UsageStore } from '../store/usage.ts';
import { ConfigError } from '../variables.ts';

export const systemClock: Clock = () => Date.now();

/** @param address a folder of the embedded store. An address with a scheme, such as `postgresql://`, has no driver yet. */
export async function loadDriver(address: string): Promise<StoreDriver> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(address)?.[1];
  if (scheme !== undefined) {
    throw new ConfigError([`no store driver for an address that begins with "${scheme}://"; use a folder`]);
  }
  return (await import('../store/sqlite/driver.ts')).createSqliteDriver(address);
}

/** @throws ServiceError `unavailable` when the store cannot be opened. */
export async function openStores(config: Config, caches?: CacheSizes): Promise<Stores> {
  return (await loadDriver(config.dataDir)).openStores(systemClock, caches);
}

/** @throws ServiceError `unavailable` when the usage file cannot be opened. */
export async function openUsage(config: Config, caches?: CacheSizes): Promise<UsageStore> {
  return (await loadDriver(config.dataDir)).openUsage(caches);
}

/** @throws ServiceError `unavailable` when there is no usage file: its writer must start first. */
export async function openUsageReader(
  config: Config,
  caches?: CacheSizes,
): ReturnType<StoreDriver['openUsageReader']> {
  return (await loadDriver(config.dataDir)).openUsageReader(caches);
}

/**
 * Opens the store for the time of one piece of work, and creates it if it does not exist. For commands that may be the
 * first ones of an installation.
 */
export async function withNewStores<Result>(
  config: Config,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = await openStores(config);
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/**
 * Opens an existing store for the time of one piece of work.
 * @throws ServiceError `failed_precondition` if there is none: a wrong folder must not become an empty store.
 */
export async function withStores<Result>(
  config: Config,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  await requireStore(config);
  return withNewStores(config, work);
}

/**
 * Opens the usage file of an existing store for the time of one piece of work.
 * @throws ServiceError `failed_precondition` if there is no store.
 */
export async function withUsage<Result>(
  config: Config,
  work: (usage: UsageStore) => Promise<Result>,
): Promise<Result> {
  await requireStore(config);
  const usage = await openUsage(config);
  try {
    return await work(usage);
  } finally {
    await usage.close();
  }
}

async function requireStore({ dataDir }: Config): Promise<void> {
  if (await (await loadDriver(dataDir)).exists()) return;
  throw new ServiceError(
    'failed_precondition',
    `there is no store in ${dataDir}; name its folder with --data-dir or TIS_DATA_DIR`,
    { reason: 'NO_STORE' },
  );
}
