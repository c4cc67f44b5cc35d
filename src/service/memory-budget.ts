// The memory budget (TIS_MEMORY_BUDGET): what the process may take in all, the shares of it that clients can fill, and that
// of the page caches.

import type { Config } from '../config.ts';
import type { CacheSizes } from '../store/driver.ts';
import { ConfigError } from '../variables.ts';

const MEBIBYTE = 1_048_576;

/** Bytes. */
export interface MemoryShares {
  /** Request bodies that are arriving, waiting or being worked on. */
  readonly bodies: number;
  /** Bodies that are decoded, in this thread and in the thread that writes. */
  readonly work: number;
  /** Answers that clients have not accepted yet. */
  readonly answers: number;
}

/**
 * Shares of what the idle process leaves. A decoded body takes about ten times its bytes, so the share of `work` stands for
 * a fifth. The rest is for connections and for memory that is free but not collected yet.
 */
const SHARES: MemoryShares = { bodies: 0.2, work: 0.02, answers: 0.2 };

/** With less, one large body or one large page would fill its share. */
const LEAST_LEFT = 320 * MEBIBYTE;

/**
 * @param idle bytes that the process takes before its first request: data of the enrichers, threads, the store.
 * @throws ConfigError that names the smallest budget that works.
 */
export function memoryShares(budget: number, idle: number): MemoryShares {
  const left = budget - idle;
  if (left < LEAST_LEFT) {
    const smallest = Math.ceil((idle + LEAST_LEFT) / (64 * MEBIBYTE)) * 64;
    throw new ConfigError([
      `TIS_MEMORY_BUDGET: ${Math.floor(budget / MEBIBYTE)}MiB is too small, because the idle service takes ` +
        `${Math.ceil(idle / MEBIBYTE)} MiB; the smallest value that works is ${smallest}MiB`,
    ]);
  }
  return { bodies: left * SHARES.bodies, work: left * SHARES.work, answers: left * SHARES.answers };
}

/** The page caches of all connections together, as a share of the budget. The file cache of the system holds the rest. */
const PAGE_CACHES = 1 / 16;

/** Parts of it for the connections of each thread. A thread that answers HTTP writes at the start at most. */
const CACHE_PARTS = {
  /** Of all threads that answer HTTP. */
  http: { reading: 0.375, writing: 0.015 },
  /** Of all pipeline threads. */
  pipeline: { reading: 0.06, writing: 0.375 },
  /** Searches that take long. */
  reading: { reading: 0.125, writing: 0.015 },
  /** Of the usage file, in the thread that answers HTTP and in the one that writes. */
  usage: { reading: 0.005, writing: 0.02 },
} as const;

/** Bytes for the page caches of one thread. */
export function pageCaches(
  { memoryBudget, workers, httpThreads }: Pick<Config, 'memoryBudget' | 'workers' | 'httpThreads'>,
  part: keyof typeof CACHE_PARTS,
): CacheSizes {
  const threads = { http: httpThreads, pipeline: Math.max(1, workers), reading: 1, usage: 1 }[part];
  const share = (memoryBudget * PAGE_CACHES) / threads;
  const { reading, writing } = CACHE_PARTS[part];
  return { reading: Math.floor(share * reading), writing: Math.floor(share * writing) };
}
