// The memory budget (TIS_MEMORY_BUDGET): what the process may take in all, and the shares of it that clients can fill.

import { ConfigError } from '../config.ts';

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
