// Watches whether a store can be written, by the writes that fail and by small probe writes.

import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import type { Stores } from './stores.ts';
import type { UsageStore } from './usage.ts';

/** Keys are hashes, so no event has this one. */
const NO_EVENT = '0'.repeat(32);
/** No credential has this id. */
const NO_CREDENTIAL = '';

/** How long a failure outweighs successful probes: a probe may fit on a disk that is full for a batch. */
const WARY_MS = 5_000;

export interface WriteWatch<Store> {
  /** The store to use: failures of its writes are noticed. */
  readonly store: Store;
  /** False after a failed write. True again after 5 s without failures and one successful probe write. */
  readonly writable: boolean;
  /** Writes something that changes nothing. Never rejects. */
  probe(): Promise<void>;
}

/** @param now a monotonic clock, in milliseconds. */
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

/** @param now a monotonic clock, in milliseconds. */
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
 * Only a probe proves that writing works again. An empty transaction succeeds on a full disk too, and a worker that finds
 * no jobs commits one.
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
        fail();
      }
    },
  };
}
