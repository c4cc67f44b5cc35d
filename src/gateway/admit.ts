// The gate of every request that needs a credential: it finds the caller and applies the rate limits.
//
// Requests with a valid credential count for that credential only. Requests without one count for their address. So
// guessing uses up nobody's limit, and a valid caller behind the address of a guesser is served as usual.

import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import type { Authenticate, Gateway, RequestHeaders } from './authenticate.ts';
import type { Caller } from './caller.ts';
import {
  addressKey,
  type CreateRateLimiter,
  createMemoryLimiter,
  limitExceeded,
  type RateLimit,
  type RateLimitFields,
  type RatePolicy,
  rateLimitFields,
} from './rate-limit.ts';

/** A request is admitted with its caller or refused as over the limit. The fields belong on its answer in both cases. */
export type Admission =
  | { readonly fields: RateLimitFields; readonly caller: Caller; readonly refusal?: undefined }
  | { readonly fields: RateLimitFields; readonly refusal: ServiceError; readonly caller?: undefined };

/**
 * Resolves to the caller, or to the refusal (`resource_exhausted`) of a caller over the limit. Rejects with ServiceError
 * `unauthenticated` without a valid credential, `unavailable` when the credential or the limit cannot be checked.
 * @param address of the client: source ranges and the limit of failures go by it.
 */
export type Admit = (headers: RequestHeaders, address: string) => Promise<Admission>;

export interface Gate {
  readonly admit: Admit;
  /** Accepts an API key in each form that TAXII clients send. An identity token gives a caller too. */
  readonly admitTaxii: Admit;
}

export interface GateOptions {
  readonly gateway: Gateway;
  /** Of one credential; for identity tokens of one person (issuer and subject). */
  readonly credentialLimit: RateLimit;
  readonly clock: Clock;
  /** Keeps the buckets of a policy. Default: in the memory of this process. */
  readonly createLimiter?: CreateRateLimiter;
}

/** Of one address without a valid credential. It is far above typing errors and far below what guessing a key takes. */
export const FAILURE_LIMIT: RateLimit = { perMinute: 600, burst: 600 };

export function createGate(options: GateOptions): Gate {
  const { gateway, credentialLimit, clock } = options;
  const { createLimiter = (policy: RatePolicy) => createMemoryLimiter(policy, clock) } = options;
  const credentials = createJudge({ name: 'credential', limit: credentialLimit }, createLimiter);
  const failures = createJudge({ name: 'address', limit: FAILURE_LIMIT }, createLimiter);

  const gate =
    (authenticate: Authenticate): Admit =>
    async (headers, address) => {
      let caller: Caller;
      try {
        caller = await authenticate(headers, address);
      } catch (error) {
        // An identity provider that is down is not the caller's fault, so it is not counted.
        if (!(error instanceof ServiceError) || error.code !== 'unauthenticated') throw error;
        const { fields, refusal } = await failures(addressKey(address));
        if (refusal === undefined) throw error;
        return { fields, refusal };
      }
      const { fields, refusal } = await credentials(caller.id);
      return refusal === undefined ? { fields, caller } : { fields, refusal };
    };

  return { admit: gate(gateway.authenticate), admitTaxii: gate(gateway.authenticateTaxii) };
}

interface Judgement {
  readonly fields: RateLimitFields;
  /** Of a request over the limit. */
  readonly refusal: ServiceError | undefined;
}

/** Counts one request of the bucket and judges it. */
function createJudge(
  policy: RatePolicy,
  createLimiter: CreateRateLimiter,
): (key: string) => Promise<Judgement> {
  const limiter = createLimiter(policy);
  const fields = rateLimitFields(policy);
  return async (key) => {
    const decision = await limiter.take(key);
    const refusal = decision.allowed ? undefined : limitExceeded(policy, decision);
    return { fields: fields(decision), refusal };
  };
}
