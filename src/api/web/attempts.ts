// Attempts to sign in: how many, and how many at a time. A hash of a password costs far more than any other answer.

import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  addressKey,
  type CreateRateLimiter,
  limitExceeded,
  type RateLimiter,
  type RatePolicy,
} from '../../gateway/rate-limit.ts';
import { createWorkTurns } from '../http/work-turns.ts';

export interface Attempts {
  /** Counts an attempt of an address that failed in any case. Rejects with ServiceError `resource_exhausted`. */
  readonly countFailure: (request: FastifyRequest) => Promise<void>;
  /**
   * Counts an attempt at a login, known or not. Rejects with ServiceError `resource_exhausted`.
   * @param mark of whoever is known by it: such attempts count for the mark alone, so no stranger behind the same address or
   * at the same login can use them up.
   */
  readonly countAttempt: (request: FastifyRequest, login: string, mark: string | undefined) => Promise<void>;
  /**
   * Waits for a turn at hashing: addresses take turns.
   * @param who those who are known by a session, a link or a mark do not wait behind strangers.
   */
  readonly inTurn: <Result>(who: Asking, hash: () => Promise<Result>) => Promise<Result>;
}

export interface Asking {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly known: boolean;
}

const ADDRESS: RatePolicy = {
  name: 'sign-in-address',
  limit: { perMinute: 20, burst: 40 },
  unit: 'attempts',
};
/** From all browsers that are not known. A guesser with many addresses gets 30,000 passwords a day. */
const LOGIN: RatePolicy = { name: 'sign-in-login', limit: { perMinute: 20, burst: 20 }, unit: 'attempts' };
const DEVICE: RatePolicy = { name: 'sign-in-device', limit: { perMinute: 6, burst: 12 }, unit: 'attempts' };

/** Any attempt is larger. */
const ONE_AT_A_TIME = 0;

export function createAttempts(createLimiter: CreateRateLimiter): Attempts {
  const [address, login, device] = [ADDRESS, LOGIN, DEVICE].map(createLimiter) as [
    RateLimiter,
    RateLimiter,
    RateLimiter,
  ];
  const [ofKnown, ofStrangers] = [createWorkTurns(ONE_AT_A_TIME), createWorkTurns(ONE_AT_A_TIME)];
  const count = async (policy: RatePolicy, limiter: RateLimiter, key: string): Promise<void> => {
    const decision = await limiter.take(key);
    if (!decision.allowed) throw limitExceeded(policy, decision);
  };
  return {
    countFailure: ({ ip }) => count(ADDRESS, address, addressKey(ip)),
    countAttempt: async ({ ip }, name, mark) => {
      if (mark !== undefined) return count(DEVICE, device, mark);
      await count(ADDRESS, address, addressKey(ip));
      await count(LOGIN, login, name);
    },
    inTurn: ({ request, reply: { raw }, known }, hash) =>
      (known ? ofKnown : ofStrangers).run(
        {
          caller: addressKey(request.ip),
          bytes: 1,
          onGone: (gone) => (raw.destroyed ? gone() : raw.once('close', gone)),
        },
        hash,
      ),
  };
}
