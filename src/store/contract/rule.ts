// The arguments of a rule of the contract: an empty store, or an empty store of metered use.

import type { StoreDriver } from '../driver.ts';
import type { Stores } from '../stores.ts';
import type { Usage, UsageStore } from '../usage.ts';
import { NOW } from './fixtures.ts';

/** An empty store, made for one rule. */
export interface OpenedStore {
  readonly driver: StoreDriver;
  readonly stores: Stores;
  /** A driver of another store, which does not exist yet. */
  empty(): StoreDriver;
  /** An empty folder for the files of a rule. `dispose` removes it. */
  readonly folder: string;
  /** Closes all openers and opens the same data again. */
  reopen(): Promise<Stores>;
  /** A second opener of the same data, as another process would be. */
  another(): Promise<Stores>;
  /** Closes all openers and removes the data. */
  dispose(): Promise<void>;
}

/** Defines a rule. The name states it, and the check fails for a driver that breaks it. */
export type Rule = (name: string, check: (opened: OpenedStore) => Promise<void>) => void;

/** An empty store of use, made for one rule. */
export interface OpenedUsage {
  readonly usage: UsageStore;
  /** A second opener of the same data, as another process would be. */
  another(): Promise<UsageStore>;
  /** Closes all openers and removes the data. */
  dispose(): Promise<void>;
}

/** Defines a rule. The name states it, and the check fails for a driver that breaks it. */
export type UsageRule = (name: string, check: (opened: OpenedUsage) => Promise<void>) => void;

const NO_USE = { searches: 0, returned: 0, lookups: 0, lookupRequests: 0 };

/** One page with two indicators, for key k1 of account `default`. */
export function aUse(changes: Partial<Usage> = {}): Usage {
  return { account: 'default', credential: 'k1', at: NOW, ...NO_USE, searches: 1, returned: 2, ...changes };
}
