// What a rule of the store contract is given.

import type { StoreDriver } from '../driver.ts';
import type { Stores } from '../stores.ts';

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
