// Limits of what one credential sends: events, values to look up, and bytes of request bodies. Limits of requests alone would allow a credential
// as many of them as its requests can carry.

import type { Clock } from '../domain/instant.ts';
import { type CreateRateLimiter, createMemoryLimiter, limitExceeded, type RatePolicy } from './rate-limit.ts';

/** Each rejects with ServiceError `resource_exhausted`, and then takes nothing. */
export interface VolumeLimits {
  /** @param credential the id of a caller. */
  readonly spendEvents: (credential: string, events: number) => Promise<void>;
  readonly spendLookups: (credential: string, values: number) => Promise<void>;
  readonly spendBytes: (credential: string, bytes: number) => Promise<void>;
}

export interface VolumeOptions {
  /** Also the limit of lookups. */
  readonly eventsPerMinute: number;
  readonly bytesPerMinute: number;
  readonly clock: Clock;
  /** Keeps the buckets of a policy. Default: in the memory of this thread. */
  readonly createLimiter?: CreateRateLimiter;
}

const KIBIBYTE = 1_024;

export function createVolumeLimits(options: VolumeOptions): VolumeLimits {
  const { eventsPerMinute, bytesPerMinute, clock } = options;
  const { createLimiter = (policy: RatePolicy) => createMemoryLimiter(policy, clock) } = options;
  const spend = (unit: string, perMinute: number) => {
    // A whole minute at once, because sensors send what they have collected.
    const policy: RatePolicy = { name: 'credential', unit, limit: { perMinute, burst: perMinute } };
    const limiter = createLimiter(policy);
    return async (credential: string, cost: number) => {
      const decision = await limiter.take(credential, cost);
      if (!decision.allowed) throw limitExceeded(policy, decision);
    };
  };
  // In KiB, because a bucket counts whole microseconds for each unit.
  const spendKibibytes = spend('KiB of bodies', Math.ceil(bytesPerMinute / KIBIBYTE));
  return {
    spendEvents: spend('events', eventsPerMinute),
    spendLookups: spend('lookups', eventsPerMinute),
    spendBytes: (credential, bytes) => spendKibibytes(credential, Math.ceil(bytes / KIBIBYTE)),
  };
}
