// The gate of every request that needs a credential: it finds the caller and applies the rate limits.
//
// Requests with a valid credential count for that credential only. Requests without one count for their address. So
// guessing uses up nobody's limit, and a valid caller behind the address of a guesser is served as usual.

import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import type { Authenticate, Gateway, Recognise, RequestHeaders } from './authenticate.ts';
import type { Caller } from './caller.ts';
import {
  addressKey,
  type CreateRateLimiter,
  createMemoryLimiter,
  type Decision,
  limitExceeded,
  type RateLimit,
  type RateLimiter,
  type RateLimitFields,
  type RatePolicy,
  rateLimitFields,
} from './rate-limit.ts';

/** A request is admitted with its caller or refused as over the limit. The fields belong on its answer in both cases. */
export type Admission =
  | {
      readonly fields: RateLimitFields;
      readonly caller: Caller;
      readonly refusal?: undefined;
      readonly refused?: undefined;
    }
  | {
      readonly fields: RateLimitFields;
      readonly refusal: ServiceError;
      readonly caller?: undefined;
      /** Whose limit it is; missing for the limit of an address. */
      readonly refused?: Caller;
    };

/**
 * Resolves to the caller, or to the refusal (`resource_exhausted`) of a caller over the limit. Rejects with ServiceError
 * `unauthenticated` without a valid credential, `unavailable` when the credential or the limit cannot be checked.
 * @param address of the client: source ranges and the limit of failures go by it.
 * @param method of the request, where its session cookie counts.
 */
export interface Admit {
  (headers: RequestHeaders, address: string, method?: string): Promise<Admission>;
  /**
   * The admission if it is at hand, as it nearly always is for a valid key. Undefined otherwise: nothing is counted then,
   * and the function itself gives the answer.
   */
  readonly atHand?: (headers: RequestHeaders, address: string) => Admission | undefined;
  /** Judges the credential of a request that was admitted before and is still being answered. Nothing is counted. */
  readonly again?: Authenticate;
}

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
  /** Keeps the buckets of a policy. Default: in the memory of this thread. */
  readonly createLimiter?: CreateRateLimiter;
}

/** Of one address without a valid credential. It is far above typing errors and far below what guessing a key takes. */
export const FAILURE_LIMIT: RateLimit = { perMinute: 600, burst: 600 };

export function createGate(options: GateOptions): Gate {
  const { gateway, credentialLimit, clock } = options;
  const { createLimiter = (policy: RatePolicy) => createMemoryLimiter(policy, clock) } = options;
  const credentials = createLimit({ name: 'credential', limit: credentialLimit }, createLimiter);
  const failures = createLimit({ name: 'address', limit: FAILURE_LIMIT }, createLimiter);

  const gate = (authenticate: Authenticate, recognise: Recognise = () => undefined): Admit => {
    const admit = async (headers: RequestHeaders, address: string, method?: string): Promise<Admission> => {
      let caller: Caller;
      try {
        caller = await authenticate(headers, address, method);
      } catch (error) {
        if (!isCounted(error)) throw error;
        const decision = await failures.limiter.take(addressKey(address));
        if (decision.allowed) throw error;
        return refused(failures, decision);
      }
      return admission(caller, await credentials.limiter.take(caller.id));
    };
    const { takeNow } = credentials.limiter;
    const atHand = (headers: RequestHeaders, address: string): Admission | undefined => {
      const caller = takeNow && recognise(headers, address);
      return caller && admission(caller, takeNow(caller.id));
    };
    return Object.assign(admit, { atHand, again: authenticate });
  };

  const admission = (caller: Caller, decision: Decision): Admission =>
    decision.allowed
      ? { fields: credentials.fields(decision), caller }
      : { ...refused(credentials, decision), refused: caller };

  return {
    admit: gate(gateway.authenticate, gateway.recognise),
    admitTaxii: gate(gateway.authenticateTaxii, gateway.recogniseTaxii),
  };
}

/**
 * A token that cannot be judged, because the identity provider is unreachable, counts like an invalid one: anybody can
 * make such a token, and each may wait for the provider. Any other fault of the service counts for nobody.
 */
function isCounted(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'unauthenticated' || error.details.reason === 'IDENTITY_PROVIDER_UNAVAILABLE';
}

/** A policy with its buckets and the formatter of its response fields. */
interface Limit {
  readonly policy: RatePolicy;
  readonly limiter: RateLimiter;
  readonly fields: (decision: Decision) => RateLimitFields;
}

function createLimit(policy: RatePolicy, createLimiter: CreateRateLimiter): Limit {
  return { policy, limiter: createLimiter(policy), fields: rateLimitFields(policy) };
}

function refused({ policy, fields }: Limit, decision: Decision) {
  return { fields: fields(decision), refusal: limitExceeded(policy, decision) };
}
