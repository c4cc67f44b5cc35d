// Limits that hold over all threads that answer HTTP: the buckets of rate limits and the amounts that are held.

import type { Ledger } from '../api/http/ledger.ts';
import type { Clock } from '../domain/instant.ts';
import { type RateLimiter, type RatePolicy, spend } from '../gateway/rate-limit.ts';
import type { SharedTable } from './shared-table.ts';

/** A caller without a slot shares a bucket with all others without one, as with `createMemoryLimiter`. */
export function createSharedLimiter({ limit }: RatePolicy, table: SharedTable, clock: Clock): RateLimiter {
  const takeNow: NonNullable<RateLimiter['takeNow']> = (key, cost = 1) =>
    table.exclusively(() => {
      // Threads read their clocks in turn, and one that has waited for the table would be back in time.
      const now = Math.max(clock(), table.sum);
      table.sum = now;
      // A full bucket is nothing: its caller is as good as unknown.
      const place = table.find(key, now * MICROSECONDS, true);
      const spending = spend(table.read(place), limit, cost, now);
      table.write(place, spending.state);
      return spending;
    });
  return { takeNow, take: async (key, cost) => takeNow(key, cost) };
}

const MICROSECONDS = 1_000;

export function createSharedLedger(table: SharedTable): Ledger {
  return {
    get total() {
      return table.exclusively(() => table.sum);
    },
    of: (owner) => table.exclusively(() => table.read(table.find(owner, 0, false))),
    add: (owner, amount, place, allows) =>
      table.exclusively(() => {
        const at = place ?? table.find(owner, 0, true);
        const held = table.read(at);
        if (allows !== undefined && !allows(held, table.sum)) return undefined;
        table.write(at, held + amount);
        table.sum += amount;
        return at;
      }),
  };
}
