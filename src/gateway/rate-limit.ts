// Rate limits: the Generic Cell Rate Algorithm, which keeps a token bucket as one number per caller, and its header fields
// (draft-ietf-httpapi-ratelimit-headers-11).
//
// The number is the theoretical arrival time: the instant at which the bucket is full again. It counts whole microseconds,
// and each rounding is against the caller, so that rounding errors never add up to an extra request.

import { ServiceError } from '../domain/errors.ts';
import type { Clock, Instant } from '../domain/instant.ts';
import { parseSource } from './source-ranges.ts';

export interface RateLimit {
  /** Units that flow back per minute. */
  readonly perMinute: number;
  /** Units that an idle caller may take at once. */
  readonly burst: number;
}

/** A limit with the name that it has in response fields and refusals: letters, digits and hyphens. */
export interface RatePolicy {
  readonly name: string;
  readonly limit: RateLimit;
  /** What is counted, in the plural. Default: requests. */
  readonly unit?: string;
}

export interface Decision {
  readonly allowed: boolean;
  /** Units that are left now. */
  readonly remaining: number;
  /** Until the bucket is full. */
  readonly resetMs: number;
  /** Until the same request can be allowed; 0 if it was allowed. */
  readonly retryAfterMs: number;
}

/** The instant at which the bucket is full, in microseconds since the epoch. A past instant means a full bucket. */
export type BucketState = number;

interface Spending extends Decision {
  readonly state: BucketState;
}

const MICROSECONDS = 1_000;
const MINUTE_US = 60_000_000;

/**
 * Takes `cost` units at `now`, or none at all. A cost above the burst counts as the burst, so it needs a full bucket.
 * After a clock stepped back the bucket is empty at worst: a caller waits for one refill and no longer.
 */
export function spend(state: BucketState, limit: RateLimit, cost: number, now: Instant): Spending {
  const interval = intervalOf(limit);
  const capacity = interval * limit.burst;
  const nowUs = Math.floor(now * MICROSECONDS);
  const debt = Math.min(Math.max(state - nowUs, 0), capacity);
  const price = interval * Math.min(cost, limit.burst);
  const allowed = debt + price <= capacity;
  const owed = allowed ? debt + price : debt;
  return {
    allowed,
    remaining: Math.floor((capacity - owed) / interval),
    resetMs: Math.ceil(owed / MICROSECONDS),
    retryAfterMs: allowed ? 0 : Math.ceil((debt + price - capacity) / MICROSECONDS),
    state: nowUs + owed,
  };
}

/** Microseconds in which one unit flows back. */
function intervalOf(limit: RateLimit): number {
  return Math.ceil(MINUTE_US / limit.perMinute);
}

/** The response fields of the draft. Retry-After is not among them: the error itself sets it. */
export interface RateLimitFields {
  readonly 'ratelimit-policy': string;
  readonly ratelimit: string;
}

/**
 * Formats the response fields of decisions under one policy. `q` is the burst and `w` the seconds in which it flows back,
 * because a caller can rely on these. `t` of a refusal equals Retry-After, which must not point before it (§6).
 */
export function rateLimitFields({ name, limit }: RatePolicy): (decision: Decision) => RateLimitFields {
  const window = Math.ceil((intervalOf(limit) * limit.burst) / 1_000_000);
  const policyField = `"${name}";q=${limit.burst};w=${window}`;
  return ({ allowed, remaining, resetMs, retryAfterMs }) => {
    const wait = Math.ceil((allowed ? resetMs : retryAfterMs) / 1_000);
    return { 'ratelimit-policy': policyField, ratelimit: `"${name}";r=${remaining};t=${wait}` };
  };
}

/** The buckets of one policy. A driver keeps them in the memory of a thread, or where several threads or processes share them. */
export interface RateLimiter {
  /**
   * Takes `cost` units (default 1) from the bucket of `key`, or none at all.
   * Rejects with ServiceError `unavailable` when the buckets cannot be reached.
   */
  take(key: string, cost?: number): Promise<Decision>;
  /** The same, where the buckets are at hand. */
  readonly takeNow?: (key: string, cost?: number) => Decision;
}

export type CreateRateLimiter = (policy: RatePolicy) => RateLimiter;

export interface MemoryLimiter extends RateLimiter {
  readonly takeNow: NonNullable<RateLimiter['takeNow']>;
  /** Buckets kept at the moment. */
  readonly size: number;
}

/** Buckets that are checked when a new one is added. More than one, so that full buckets go faster than new ones come. */
const SWEEP = 4;

/**
 * Keeps the buckets in the memory of this thread. A full bucket is dropped, because an unknown caller has a full one. When
 * the table holds `maxKeys` buckets that are not full, all new callers share one bucket: a flood of addresses can
 * neither grow the table nor make it forget what another caller has used.
 * @throws RangeError when the limit or the table size is not a positive whole number.
 */
export function createMemoryLimiter({ limit }: RatePolicy, clock: Clock, maxKeys = 100_000): MemoryLimiter {
  for (const [name, value] of Object.entries({ ...limit, maxKeys })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} must be a positive whole number`);
  }
  const capacity = intervalOf(limit) * limit.burst;
  const buckets = new Map<string, BucketState>();
  let overflow: BucketState = 0;

  /** Goes round the table in its order of insertion: drops full buckets, moves the others to the end. */
  const sweep = (now: Instant): void => {
    const nowUs = now * MICROSECONDS;
    let left = Math.min(SWEEP, buckets.size);
    for (const [key, state] of buckets) {
      if (left-- === 0) return;
      buckets.delete(key);
      // After a clock stepped back, a bucket is kept no longer than it takes to fill.
      if (state > nowUs) buckets.set(key, Math.min(state, nowUs + capacity));
    }
  };

  const takeNow = (key: string, cost = 1): Decision => {
    const now = clock();
    const known = buckets.get(key);
    if (known === undefined) {
      sweep(now);
      if (buckets.size >= maxKeys) {
        const shared = spend(overflow, limit, cost, now);
        overflow = shared.state;
        return shared;
      }
    }
    const spending = spend(known ?? 0, limit, cost, now);
    buckets.set(key, spending.state);
    return spending;
  };

  return {
    get size() {
      return buckets.size;
    },
    takeNow,
    take: async (key, cost) => takeNow(key, cost),
  };
}

/**
 * The bucket of a request without a valid credential: the IPv4 address, or the /64 of an IPv6 address, because one
 * subscriber gets a whole /64. All unreadable addresses share one bucket.
 */
export function addressKey(address: string): string {
  const bytes = parseSource(address);
  if (bytes === undefined) return 'unknown';
  return bytes.length === 4 ? bytes.join('.') : `${Buffer.from(bytes.slice(0, 8)).toString('hex')}/64`;
}

/** The refusal of a request over its limit: HTTP 429. */
export function limitExceeded(
  { name, limit, unit = 'requests' }: RatePolicy,
  { retryAfterMs }: Decision,
): ServiceError {
  const perMinute = String(limit.perMinute);
  const burst = String(limit.burst);
  const message = `over the limit of this ${name}: ${perMinute} ${unit} a minute, at most ${burst} at once`;
  return new ServiceError('resource_exhausted', message, {
    reason: 'RATE_LIMIT_EXCEEDED',
    // QuotaFailure takes its subject from here.
    metadata: { subject: name, ...(unit === 'requests' ? {} : { unit }), perMinute, burst },
    retryAfterMs,
  });
}
