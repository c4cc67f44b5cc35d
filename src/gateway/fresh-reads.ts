// Reads of credentials from the store, remembered for a moment: a busy credential is read twice a second.

import { LRUCache } from 'lru-cache';
import type { Clock, Instant } from '../domain/instant.ts';

export interface FreshReads<Value> {
  /** What the store has under a key, as of the last half second. */
  get(key: string): Promise<Value | undefined> | Value | undefined;
  /** The same, if no read is needed. */
  atHand(key: string): Value | undefined;
}

/**
 * Milliseconds for which a credential is judged by what was read. The time can double if the clock steps back, and a
 * revocation must take effect within one second.
 */
const MAX_AGE = 500;

/** One read, shared by all requests within MAX_AGE. */
interface Read<Value> {
  /** When it began. It may miss a change after this instant. */
  readonly at: Instant;
  readonly pending: Promise<Value | undefined>;
  /** Set after the read, so that later requests need not wait for a promise. */
  known?: Value;
}

/** @param max the most keys that are remembered. */
export function createFreshReads<Value extends object>(
  read: (key: string) => Promise<Value | undefined>,
  monotonic: Clock,
  max: number,
): FreshReads<Value> {
  const reads = new LRUCache<string, Read<Value>>({ max });

  const forget = (key: string, made: Read<Value>): void => {
    if (reads.peek(key) === made) reads.delete(key);
  };

  const begin = (key: string, now: Instant): Read<Value> => {
    const made: Read<Value> = { at: now, pending: read(key) };
    reads.set(key, made);
    made.pending.then(
      (known) => {
        // What is unknown is not remembered: it may be created before the next request.
        if (known !== undefined) made.known = known;
        else forget(key, made);
      },
      () => forget(key, made),
    );
    return made;
  };

  const fresh = (key: string, now: Instant): Read<Value> | undefined => {
    const made = reads.get(key);
    return made === undefined || now < made.at || now - made.at >= MAX_AGE ? undefined : made;
  };

  return {
    get: (key) => {
      const now = monotonic();
      const made = fresh(key, now) ?? begin(key, now);
      return made.known ?? made.pending;
    },
    atHand: (key) => fresh(key, monotonic())?.known,
  };
}
