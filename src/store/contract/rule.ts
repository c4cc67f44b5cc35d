// What a rule of the contract is given: a store, or metered use.

import type { StoreDriver } from '../driver.ts';
import type { Stores } from '../stores.ts';
import type { Usage, UsageStore } from '../usage.ts';
import { NOW } from './fixtures.ts';

/** A store with nothing in it, made for one rule. */
export interface OpenedStore {
  readonly driver: StoreDriver;
  readonly stores: Stores;
  /** Closes every opener and opens the same data again. */
  reopen(): Promise<Stores>;
  /** A second opener of the same data, as another process would be. */
  another(): Promise<Stores>;
  /** Closes every opener that is still open and removes the data. */
  dispose(): Promise<void>;
}

/** States one rule: its name is the rule, its check fails where a driver breaks it. */
export type Rule = (name: string, check: (opened: OpenedStore) => Promise<void>) => void;

/** A store of use with nothing in it, made for one rule. */
export interface OpenedUsage {
  readonly usage: UsageStore;
  /** A second opener of the same data, as another process would be. */
  another(): Promise<UsageStore>;
  /** Closes every opener that is still open and removes the data. */
  dispose(): Promise<void>;
}

/** States one rule: its name is the rule, its check fails where a driver breaks it. */
export type UsageRule = (name: string, check: (opened: OpenedUsage) => Promise<void>) => void;

/** One page of two indicators, answered to key k1 of the account default. */
export function aUse(changes: Partial<Usage> = {}): Usage {
  return { account: 'default', credential: 'k1', at: NOW, searches: 1, returned: 2, ...changes };
}
