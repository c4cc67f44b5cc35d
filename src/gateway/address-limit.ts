// A limit for each address on requests that have no credential yet: signing in.

import { addressKey, type CreateRateLimiter, limitExceeded, type RateLimit } from './rate-limit.ts';

/** Rejects with ServiceError `resource_exhausted` for an address over the limit. */
export type SpendOfAddress = (address: string) => Promise<void>;

export function createAddressLimit(
  name: string,
  limit: RateLimit,
  createLimiter: CreateRateLimiter,
): SpendOfAddress {
  const policy = { name, limit };
  const limiter = createLimiter(policy);
  return async (address) => {
    const decision = await limiter.take(addressKey(address));
    if (!decision.allowed) throw limitExceeded(policy, decision);
  };
}
