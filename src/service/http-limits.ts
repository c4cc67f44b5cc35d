// The limits of what callers may do and hold, where one thread answers HTTP and where several do.

import { STREAM_LIMITS } from '../api/http/event-streams.ts';
import { createMemoryLedger, type Ledger } from '../api/http/ledger.ts';
import type { RoomLedgers } from '../api/http/room.ts';
import { createWorkTurns, type WorkTurns } from '../api/http/work-turns.ts';
import type { Config } from '../config.ts';
import { type CreateRateLimiter, createMemoryLimiter, type RatePolicy } from '../gateway/rate-limit.ts';
import { monotonicClock, threadsClock } from './clock.ts';
import type { MemoryShares } from './memory-budget.ts';
import { createSharedLedger, createSharedLimiter } from './shared-limits.ts';
import { SharedTable, sharedTableMemory } from './shared-table.ts';

export interface HttpLimits {
  readonly shares: MemoryShares;
  readonly createLimiter: CreateRateLimiter;
  readonly rooms: RoomLedgers;
  /** Connections of the public port. */
  readonly connections: Ledger;
  /** Open streams of events, by credential. */
  readonly streams: Ledger;
  readonly workTurns: WorkTurns;
}

/** The limits of the only thread. */
export function ownLimits(shares: MemoryShares): HttpLimits {
  return {
    shares,
    createLimiter: (policy) => createMemoryLimiter(policy, monotonicClock),
    rooms: { bodies: createMemoryLedger(), answers: createMemoryLedger() },
    connections: createMemoryLedger(),
    streams: createMemoryLedger(),
    workTurns: createWorkTurns(shares.work),
  };
}

/** What threads need to share limits: plain values and shared memory. */
export interface SharedMemory {
  readonly shares: MemoryShares;
  /** By policy. */
  readonly limiters: Map<string, SharedArrayBuffer>;
  readonly bodies: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
  readonly connections: SharedArrayBuffer;
  readonly streams: SharedArrayBuffer;
}

/** Callers whose buckets are not full. As many as one thread keeps. */
const BUCKETS = 100_000;
/** Requests of one connection that can be unanswered, so that this many callers can hold something. */
const CALLERS_PER_CONNECTION = 4;
/** A port with more connections has them share slots in the worst case. */
const MOST_HOLDERS = 2 ** 20;

export function shareMemory(
  shares: MemoryShares,
  { connections }: Pick<Config, 'connections'>,
): SharedMemory {
  // Twice as many slots as names, so that names find one.
  const holders = Math.min(2 * CALLERS_PER_CONNECTION * connections.total, MOST_HOLDERS);
  return {
    shares,
    limiters: new Map(),
    bodies: sharedTableMemory(holders),
    answers: sharedTableMemory(holders),
    connections: sharedTableMemory(holders),
    streams: sharedTableMemory(2 * STREAM_LIMITS.total),
  };
}

/**
 * The limits of one of several threads.
 * @param memory of all of them. The first thread adds the buckets of each policy; no other may have its own.
 */
export function sharedLimits(
  memory: SharedMemory,
  workTurns: WorkTurns,
  thread: 'first' | 'further',
): HttpLimits {
  const ledger = (shared: SharedArrayBuffer) => createSharedLedger(new SharedTable(shared));
  const bucketsOf = ({ name, unit = 'requests' }: RatePolicy): SharedArrayBuffer => {
    const policy = `${name} ${unit}`;
    const known = memory.limiters.get(policy);
    if (known !== undefined) return known;
    if (thread === 'further') throw new Error(`the threads do not share the buckets of ${policy}`);
    const buckets = sharedTableMemory(BUCKETS);
    memory.limiters.set(policy, buckets);
    return buckets;
  };
  return {
    shares: memory.shares,
    createLimiter: (policy) => createSharedLimiter(policy, new SharedTable(bucketsOf(policy)), threadsClock),
    rooms: { bodies: ledger(memory.bodies), answers: ledger(memory.answers) },
    connections: ledger(memory.connections),
    streams: ledger(memory.streams),
    workTurns,
  };
}
