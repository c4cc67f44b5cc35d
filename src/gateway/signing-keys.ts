// The public keys of the identity provider (RFC 7517), fetched from the configured address and from nowhere else.
//
// What was good stays in use while the provider can not be reached. Keys are looked up again when they grow old and
// when a token names an unknown one, so that a rotation needs no restart; an unknown name can cause one fetch in
// five seconds at most, whoever sends how many.

import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import { ServiceError } from '../domain/errors.ts';
import { type Clock, type Instant, MINUTE, SECOND } from '../domain/instant.ts';

const MAX_AGE = 10 * MINUTE;
const COOL_DOWN = 5 * SECOND;
const TIMEOUT = 5 * SECOND;
/** Of the decompressed answer. Real sets have a few kilobytes. */
const MAX_BYTES = 256 * 1024;

export interface SigningKeysOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
  readonly timeoutMs?: number;
}

type LocalKeys = ReturnType<typeof createLocalJWKSet>;
type SigningKey = Awaited<ReturnType<LocalKeys>>;

/**
 * Finds the key of a token by the `kid` and `alg` of its header.
 * Rejects with an error of jose when there is no such key, with ServiceError `unavailable` when that can not be known.
 */
export type SigningKeys = (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<SigningKey>;

export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { url, clock, fetch = globalThis.fetch, timeoutMs = TIMEOUT } = options;
  let keys: LocalKeys | undefined;
  let goodSince: Instant | undefined;
  let triedAt: Instant | undefined;
  let failure: unknown;
  let fetching: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    try {
      keys = createLocalJWKSet(await fetchKeySet(fetch, url, timeoutMs));
      goodSince = clock();
      failure = undefined;
    } catch (error) {
      failure = error;
    } finally {
      triedAt = clock();
      fetching = undefined;
    }
  };

  /** Never rejects; does nothing right after another attempt. */
  const refresh = (): Promise<void> => {
    if (fetching === undefined && isOlderThan(triedAt, COOL_DOWN, clock())) fetching = load();
    return fetching ?? Promise.resolve();
  };

  return async (header, token) => {
    if (isOlderThan(goodSince, MAX_AGE, clock())) {
      const attempt = refresh();
      // While the provider is down nobody waits for it who can be judged without.
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
      // The key may be a new one that the provider could not tell us of: that is not the caller's fault.
      throw error instanceof errors.JWKSNoMatchingKey && failure !== undefined ? unavailable(failure) : error;
    }
  };
}

/** A clock that stepped back counts as long ago: the cost is one fetch. */
function isOlderThan(instant: Instant | undefined, age: number, now: Instant): boolean {
  return instant === undefined || now < instant || now - instant >= age;
}

async function fetchKeySet(
  fetch: typeof globalThis.fetch,
  url: string,
  timeoutMs: number,
): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/jwk-set+json, application/json' },
  });
  const text = await readAtMost(response, MAX_BYTES);
  if (response.status !== 200) throw new Error(`the key set was answered with status ${response.status}`);
  const answer: unknown = JSON.parse(text);
  if (!isKeySet(answer)) throw new Error('the answer is not a key set, or an empty one');
  return answer;
}

async function readAtMost(response: Response, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new Error(`the key set is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** An empty set is taken for a fault of the provider: it would lock everybody out. */
function isKeySet(value: unknown): value is JSONWebKeySet {
  return (
    typeof value === 'object' &&
    value !== null &&
    'keys' in value &&
    Array.isArray(value.keys) &&
    value.keys.length > 0
  );
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'identity tokens can not be checked at the moment', {
    reason: 'IDENTITY_PROVIDER_UNAVAILABLE',
    retryAfterMs: COOL_DOWN,
    cause,
  });
}
