// Stores for tests, each in a folder of its own. A test outside src/store takes its store from here and names no driver.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../domain/instant.ts';
import { createSqliteDriver } from '../sqlite/driver.ts';
import type { OpenedStore, OpenedUsage } from './rule.ts';

/** The address of the driver: a data folder. */
interface Temporary {
  readonly address: string;
}

export type TemporaryStore = OpenedStore & Temporary;
export type TemporaryUsage = OpenedUsage & Temporary;

export async function openTemporaryStore(clock: Clock): Promise<TemporaryStore> {
  const address = makeFolder();
  const folder = makeFolder();
  const driver = createSqliteDriver(address);
  const openers = new Openers(() => driver.openStores(clock));
  let others = 0;
  return {
    address,
    driver,
    stores: await openers.open(),
    another: () => openers.open(),
    folder,
    empty: () => createSqliteDriver(join(folder, `store ${others++}`)),
    reopen: async () => {
      await openers.closeAll();
      return openers.open();
    },
    dispose: async () => {
      await openers.closeAll();
      for (const made of [address, folder]) rmSync(made, { recursive: true });
    },
  };
}

export async function openTemporaryUsage(): Promise<TemporaryUsage> {
  const address = makeFolder();
  const driver = createSqliteDriver(address);
  const openers = new Openers(() => driver.openUsage());
  return {
    address,
    usage: await openers.open(),
    another: () => openers.open(),
    dispose: async () => {
      await openers.closeAll();
      rmSync(address, { recursive: true });
    },
  };
}

/** All stores that were opened at one address. */
class Openers<Store extends { close(): Promise<void> }> {
  readonly #opened: Store[] = [];
  readonly #open: () => Promise<Store>;

  constructor(open: () => Promise<Store>) {
    this.#open = open;
  }

  async open(): Promise<Store> {
    const store = await this.#open();
    this.#opened.push(store);
    return store;
  }

  /** A test may have closed some itself, so failures do not count. */
  async closeAll(): Promise<void> {
    await Promise.allSettled(this.#opened.splice(0).map((store) => store.close()));
  }
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tis-store-'));
}
