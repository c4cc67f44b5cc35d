// The public keys of the identity provider (RFC 7517), fetched from the configured address only.
//
// The last good keys stay in use while the provider cannot be reached. They are fetched again when they are old and when a
// token names an unknown key, so a rotation needs no restart. Unknown names cause at most one fetch in five seconds.

import { createPublicKey, type JsonWebKey } from 'node:crypto';
import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWK,
  type JWSHeaderParameters,
} from 'jose';
import { ServiceError } from '../domain/errors.ts';
import { type Clock, type Instant, MINUTE, SECOND } from '../domain/instant.ts';
import { type FetchTextOptions, fetchText } from './fetch-text.ts';

/** Counted from the start of the fetch. A key that the provider withdraws is refused within this time. */
const MAX_AGE = MINUTE;
const COOL_DOWN = 5 * SECOND;

export interface SigningKeysOptions extends Pick<FetchTextOptions, 'fetch' | 'timeoutMs'> {
  readonly url: string;
  readonly clock: Clock;
}

type LocalKeys = ReturnType<typeof createLocalJWKSet>;
type SigningKey = Awaited<ReturnType<LocalKeys>>;

/**
 * Finds the key of a token by the `kid` and `alg` of its header.
 * Rejects with an error of jose for an unknown key, with ServiceError `unavailable` when the keys cannot be fetched.
 */
export type SigningKeys = (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<SigningKey>;

/** @throws TypeError for an address that is not http(s). */
export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { clock, url } = options;
  if (!/^https?:$/.test(new URL(url).protocol)) throw new TypeError('a key set has an http(s) address');
  let keys: LocalKeys | undefined;
  let goodSince: Instant | undefined;
  let triedAt: Instant | undefined;
  let failure: unknown;
  let fetching: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    const startedAt = clock();
    try {
      keys = createLocalJWKSet(await fetchKeySet(options));
      goodSince = startedAt;
      failure = undefined;
    } catch (error) {
      failure = error;
    } finally {
      triedAt = clock();
      fetching = undefined;
    }
  };

  /** Never rejects. Does nothing within COOL_DOWN after the last attempt. */
  const refresh = (): Promise<void> => {
    if (fetching === undefined && isOlderThan(triedAt, COOL_DOWN, clock())) fetching = load();
    return fetching ?? Promise.resolve();
  };

  return async (header, token) => {
    if (isOlderThan(goodSince, MAX_AGE, clock())) {
      const attempt = refresh();
      // While the provider is down, a token is judged by the last good keys without waiting.
      if (keys === undefined || failure === undefined) await attempt;
    }
    if (keys === undefined) throw unavailable(failure);
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await refresh();
    try {
      return await keys(header, token);
    } catch (error) {
      // The key may be new, and the last fetch failed: that is not the caller's fault.
      throw error instanceof errors.JWKSNoMatchingKey && failure !== undefined ? unavailable(failure) : error;
    }
  };
}

/** True also when the clock stepped back, at the cost of one fetch. */
function isOlderThan(instant: Instant | undefined, age: number, now: Instant): boolean {
  return instant === undefined || now < instant || now - instant >= age;
}

async function fetchKeySet({ url, ...options }: SigningKeysOptions): Promise<JSONWebKeySet> {
  const accept = 'application/jwk-set+json, application/json';
  const answer: unknown = JSON.parse(await fetchText(url, { ...options, accept }));
  const keys = entriesOf(answer).filter(isPublicKey);
  // A set without keys counts as a fault of the provider, because it would refuse every token.
  if (keys.length === 0) throw new Error('the answer is not a key set, or one without a usable key');
  return { keys };
}

function entriesOf(answer: unknown): readonly unknown[] {
  if (typeof answer !== 'object' || answer === null || !('keys' in answer)) return [];
  return Array.isArray(answer.keys) ? answer.keys : [];
}

/** RFC 7517 §5: entries of an unknown type and entries that miss a member are ignored. The other keys of the set stay usable. */
function isPublicKey(entry: unknown): entry is JWK {
  try {
    createPublicKey({ key: entry as JsonWebKey, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'identity tokens cannot be checked at the moment', {
    reason: 'IDENTITY_PROVIDER_UNAVAILABLE',
    retryAfterMs: COOL_DOWN,
    cause,
  });
}
