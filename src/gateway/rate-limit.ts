// How often a caller may ask: the Generic Cell Rate Algorithm, a token bucket kept as one number per caller, and its
// header fields (draft-ietf-httpapi-ratelimit-headers-11).
//
// The number is the theoretical arrival time: the instant at which the bucket is full again. Whole microseconds
// throughout, with every rounding to the disadvantage of the caller, so that no error can add up to an extra request.

import { ServiceError } from '../domain/errors.ts';
import type { Clock, Instant } from '../domain/instant.ts';
import { parseSource } from './source-ranges.ts';

export interface RateLimit {
  /** Requests that come back per minute. */
  readonly perMinute: number;
  /** Requests that may be made at once by a caller who was idle. */
  readonly burst: number;
}

export interface Decision {
  readonly allowed: boolean;
  /** How many more would be allowed right now. */
  readonly remaining: number;
  /** Until the whole burst is there again. */
  readonly resetMs: number;
  /** Until the same request can be allowed; 0 when it was. */
  readonly retryAfterMs: number;
}

/** Microseconds since the epoch at which the bucket is full. An unknown caller's is full: any past instant will do. */
export type BucketState = number;

export interface Spending extends Decision {
  readonly state: BucketState;
}

const MICROSECONDS = 1_000;
const MINUTE_US = 60_000_000;

/**
 * Takes `cost` units at `now`, or none at all. A cost above the burst counts as the burst: it needs a full bucket.
 * A clock that steps back finds the bucket empty at worst, never more than full; it can not lock a caller out.
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

/** Microseconds in which one request comes back. */
function intervalOf(limit: RateLimit): number {
  return Math.ceil(MINUTE_US / limit.perMinute);
}

/** Response fields of draft-11. Retry-After goes with every error that knows when to come back, so it is not here. */
export interface RateLimitFields {
  readonly 'ratelimit-policy': string;
  readonly ratelimit: string;
}

/**
 * The response fields of decisions under one limit. The policy is the burst and the time it takes to come back, since
 * that is what a caller may rely on; `t` of a refusal is what Retry-After says, which must not point before it (§6).
 * @param policy name of the limit: letters, digits and hyphens.
 */
export function rateLimitFields(policy: string, limit: RateLimit): (decision: Decision) => RateLimitFields {
  const window = Math.ceil((intervalOf(limit) * limit.burst) / 1_000_000);
  const policyField = `"${policy}";q=${limit.burst};w=${window}`;
  return ({ allowed, remaining, resetMs, retryAfterMs }) => {
    const wait = Math.ceil((allowed ? resetMs : retryAfterMs) / 1_000);
    return { 'ratelimit-policy': policyField, ratelimit: `"${policy}";r=${remaining};t=${wait}` };
  };
}

export interface Limiter {
  readonly policy: string;
  readonly limit: RateLimit;
  /** Takes `cost` (default 1) from the bucket of `key`. Never throws. */
  spend(key: string, cost?: number): Decision;
  readonly fields: (decision: Decision) => RateLimitFields;
  /** Callers remembered at the moment. */
  readonly size: number;
}

export interface LimiterOptions extends RateLimit {
  /** Name of the policy in the response fields. */
  readonly policy?: string;
  readonly clock: Clock;
  /** Callers remembered at most. */
  readonly maxKeys?: number;
}

/** Buckets looked at when a new one is added; more than one, so that idle ones go faster than new ones come. */
const SWEEP = 4;

/**
 * Limits in the memory of this process. A bucket that is full again is forgotten, as it equals none. When the table is
 * full of callers who still owe, newcomers share one bucket: a flood of addresses can neither grow the table nor
 * make it forget anybody's debt.
 * @throws RangeError when the limit or the table size is not a positive whole number.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { perMinute, burst, clock, policy = 'default', maxKeys = 100_000 } = options;
  for (const [name, value] of Object.entries({ perMinute, burst, maxKeys })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} must be a positive whole number`);
  }
  const limit: RateLimit = { perMinute, burst };
  const capacity = intervalOf(limit) * burst;
  const buckets = new Map<string, BucketState>();
  let overflow: BucketState = 0;

  /** Walks round the table in its order of insertion: the full go, the others move to the end. */
  const sweep = (now: Instant): void => {
    const nowUs = now * MICROSECONDS;
    let left = Math.min(SWEEP, buckets.size);
    for (const [key, state] of buckets) {
      if (left-- === 0) return;
      buckets.delete(key);
      // A clock that stepped back must not keep anybody here for longer than the bucket takes to fill.
      if (state > nowUs) buckets.set(key, Math.min(state, nowUs + capacity));
    }
  };

  return {
    policy,
    limit,
    fields: rateLimitFields(policy, limit),
    get size() {
      return buckets.size;
    },
    spend: (key, cost = 1) => {
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
    },
  };
}

/**
 * The key by which a request without a valid credential is counted: the IPv4 address, or the /64 of an IPv6 address,
 * which is what one subscriber is given. Everything unreadable counts as one caller.
 */
export function addressKey(address: string): string {
  const bytes = parseSource(address);
  if (bytes === undefined) return 'unknown';
  return bytes.length === 4 ? bytes.join('.') : `${Buffer.from(bytes.slice(0, 8)).toString('hex')}/64`;
}

/** The refusal of a request over its limit: HTTP 429. */
export function limitExceeded({ policy, limit }: Limiter, { retryAfterMs }: Decision): ServiceError {
  const perMinute = String(limit.perMinute);
  const burst = String(limit.burst);
  const message = `over the limit of this ${policy}: ${perMinute} requests a minute, at most ${burst} at once`;
  return new ServiceError('resource_exhausted', message, {
    reason: 'RATE_LIMIT_EXCEEDED',
    // `subject` is what QuotaFailure names.
    metadata: { subject: policy, perMinute, burst },
    retryAfterMs,
  });
}
