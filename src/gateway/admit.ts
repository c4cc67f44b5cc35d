// The gate that every request with a credential passes: who is calling, and whether they call too often.
//
// A valid credential is counted by itself alone. What fails is counted by address, so that nobody can use up somebody
// else's limit by guessing, and a caller behind the address of a guesser is served as ever.

import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import type { Authenticate, Gateway, RequestHeaders } from './authenticate.ts';
import type { Caller } from './caller.ts';
import {
  addressKey,
  createLimiter,
  type Decision,
  type Limiter,
  limitExceeded,
  type RateLimit,
  type RateLimitFields,
} from './rate-limit.ts';

/** What became of a request at the gate. The fields of the limit go on its answer, whatever else becomes of it. */
export type Admission =
  | { readonly fields: RateLimitFields; readonly caller: Caller; readonly refusal?: undefined }
  | { readonly fields: RateLimitFields; readonly refusal: ServiceError; readonly caller?: undefined };

/**
 * Resolves to the caller, or to the refusal (`resource_exhausted`) of one who is over the limit. Rejects with
 * ServiceError `unauthenticated` when there is no valid credential, `unavailable` when that can not be known.
 * @param address of the client: source ranges and failures go by it.
 */
export type Admit = (headers: RequestHeaders, address: string) => Promise<Admission>;

export interface Gate {
  readonly admit: Admit;
  /** Takes the forms of a key that TAXII clients send (see bearer.ts); an identity token is a caller here too. */
  readonly admitTaxii: Admit;
}

export interface GateOptions {
  readonly gateway: Gateway;
  /** Of one credential; of one person (issuer and subject) for identity tokens. */
  readonly credentialLimit: RateLimit;
  readonly clock: Clock;
}

/** Of one address, for requests without a valid credential: more than any typing error, less than any search. */
export const FAILURE_LIMIT: RateLimit = { perMinute: 600, burst: 600 };

export function createGate({ gateway, credentialLimit, clock }: GateOptions): Gate {
  const credentials = createLimiter({ ...credentialLimit, policy: 'credential', clock });
  const failures = createLimiter({ ...FAILURE_LIMIT, policy: 'address', clock });

  const gate =
    (authenticate: Authenticate): Admit =>
    async (headers, address) => {
      let caller: Caller;
      try {
        caller = await authenticate(headers, address);
      } catch (error) {
        // Only the caller's own faults are counted: that an identity provider is away is none.
        if (!(error instanceof ServiceError) || error.code !== 'unauthenticated') throw error;
        const decision = failures.spend(addressKey(address));
        if (decision.allowed) throw error;
        return refused(failures, decision);
      }
      const decision = credentials.spend(caller.id);
      return decision.allowed
        ? { fields: credentials.fields(decision), caller }
        : refused(credentials, decision);
    };

  return { admit: gate(gateway.authenticate), admitTaxii: gate(gateway.authenticateTaxii) };
}

function refused(limiter: Limiter, decision: Decision): Admission {
  return { fields: limiter.fields(decision), refusal: limitExceeded(limiter, decision) };
}
