// Whether a store can be written: known from the changes that failed, and from a small change of its own.

import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import type { Stores } from './stores.ts';
import type { UsageStore } from './usage.ts';

/** No event has this key: keys are hashes. */
const NO_EVENT = '0'.repeat(32);
/** No credential has this id. */
const NO_CREDENTIAL = '';

/** After a failure: a probe is small, and may find the last room on a disk that has none for a batch. */
const WARY_MS = 5_000;

export interface WriteWatch<Store> {
  /** The store, watched. */
  readonly store: Store;
  /** False from the first change that the store could not take, until none has failed for a while and a probe is kept. */
  readonly writable: boolean;
  /** Writes to the disk what changes nothing. Never rejects. */
  probe(): Promise<void>;
}

/** @param now milliseconds that never go back. */
export function watchStores(
  stores: Stores,
  clock: Clock,
  now: () => number = () => performance.now(),
): WriteWatch<Stores> {
  return watch(
    now,
    () =>
      stores.write(async (tx) => {
        await tx.rememberEvents([NO_EVENT], clock());
        await tx.forgetEvents([NO_EVENT]);
      }),
    (noticing) => ({ ...stores, write: (work) => noticing(stores.write(work)) }),
  );
}

/** @param now milliseconds that never go back. */
export function watchUsage(
  usage: UsageStore,
  clock: Clock,
  now: () => number = () => performance.now(),
): WriteWatch<UsageStore> {
  return watch(
    now,
    () => usage.touch([NO_CREDENTIAL], clock()),
    (noticing) => ({
      ...usage,
      record: (...given) => noticing(usage.record(...given)),
      touch: (...given) => noticing(usage.touch(...given)),
    }),
  );
}

/**
 * Only a probe says that writing works again: a change that had nothing to write succeeds on a full disk too, and the
 * worker's look for jobs is one.
 */
function watch<Store>(
  now: () => number,
  write: () => Promise<void>,
  wrap: (noticing: <Result>(change: Promise<Result>) => Promise<Result>) => Store,
): WriteWatch<Store> {
  let writable = true;
  let failedAt = 0;
  const fail = () => {
    writable = false;
    failedAt = now();
  };
  const noticing = async <Result>(change: Promise<Result>): Promise<Result> => {
    try {
      return await change;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unavailable') fail();
      throw error;
    }
  };
  return {
    store: wrap(noticing),
    get writable() {
      return writable;
    },
    probe: async () => {
      try {
        await write();
        if (now() - failedAt >= WARY_MS) writable = true;
      } catch {
        // Whoever has something to write is told why it failed.
        fail();
      }
    },
  };
}
