// Choosing the store driver by the address of the store. No other file names a driver.

import { ConfigError } from '../config.ts';
import type { StoreDriver } from '../store/driver.ts';

/** @param address a folder of the embedded store. An address with a scheme, such as `postgresql://`, has no driver yet. */
export async function loadDriver(address: string): Promise<StoreDriver> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(address)?.[1];
  if (scheme !== undefined) {
    throw new ConfigError([`no store driver for an address that begins with "${scheme}://"; use a folder`]);
  }
  return (await import('../store/sqlite/driver.ts')).createSqliteDriver(address);
}
