// Authentication: finds the caller from the Authorization header and the address.

import { LRUCache } from 'lru-cache';
import type { Clock, Instant } from '../domain/instant.ts';
import type { AddressRange } from '../domain/observable/address.ts';
import type { ApiKey, ApiKeyReader } from '../store/api-key.ts';
import type { Caller } from './caller.ts';
import { bearerToken, credentialInvalid, credentialMissing, taxiiToken } from './credential.ts';
import type { IdentityTokens } from './identity-tokens.ts';
import { parseKey } from './key-format.ts';
import { liesWithin, parseSourceRange } from './source-ranges.ts';

export interface RequestHeaders {
  readonly authorization?: string | undefined;
}

/**
 * Resolves to the caller. Rejects with ServiceError `unauthenticated` without a valid credential, `unavailable` when the
 * credential cannot be checked.
 * @param address of the client: source ranges go by it.
 */
export type Authenticate = (headers: RequestHeaders, address: string) => Promise<Caller>;

/**
 * The caller, if the header is that of a key which was read from the store within half a second and is valid. Undefined
 * otherwise: `Authenticate` judges all other requests.
 */
export type Recognise = (headers: RequestHeaders, address: string) => Caller | undefined;

export interface Gateway {
  readonly authenticate: Authenticate;
  /** Accepts more forms of an API key (see credential.ts). A valid identity token gives a caller too; TAXII refuses it later. */
  readonly authenticateTaxii: Authenticate;
  readonly recognise?: Recognise;
  readonly recogniseTaxii?: Recognise;
}

export interface GatewayOptions {
  readonly keys: Pick<ApiKeyReader, 'byHash'>;
  /** Without it no identity token is valid. */
  readonly identityTokens?: IdentityTokens;
  /** Judges whether a key has ended. */
  readonly clock: Clock;
  /** For the age of cached keys; `clock` by default. */
  readonly monotonic?: Clock;
  /** Called before a key is refused because it has ended. */
  readonly onExpired?: (expiresAt: Instant) => Promise<void>;
  /** The most keys that are cached. */
  readonly maxKeys?: number;
}

/**
 * Milliseconds for which a key is judged by the cached record. The time can double if the clock steps back, and a revocation
 * must take effect within one second.
 */
const MAX_AGE = 500;

/** Headers of valid keys whose hashes are remembered, by interface. Hashing a key takes longer than reading an indicator. */
const MAX_HEADERS = 1_000;

/** A key as read from the store, and its caller. */
interface KnownKey {
  readonly key: ApiKey;
  readonly ranges: readonly AddressRange[];
  readonly caller: Caller;
}

/** One read of a key from the store, shared by all requests within MAX_AGE. */
interface Lookup {
  /** When the read began. It may miss a revocation after this instant. */
  readonly at: Instant;
  readonly pending: Promise<KnownKey | undefined>;
  /** Set after the read, so that later requests need not wait for a promise. */
  known?: KnownKey;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { keys, identityTokens, clock, monotonic = clock, onExpired, maxKeys = 10_000 } = options;
  const lookups = new LRUCache<string, Lookup>({ max: maxKeys });

  const lookUp = (hash: string, now: Instant): Lookup => {
    const lookup: Lookup = { at: now, pending: keys.byHash(hash).then(toKnownKey) };
    lookups.set(hash, lookup);
    lookup.pending.then(
      (known) => {
        // An unknown key is not cached: it may be created before the next request.
        if (known !== undefined) lookup.known = known;
        else forget(hash, lookup);
      },
      () => forget(hash, lookup),
    );
    return lookup;
  };

  const forget = (hash: string, lookup: Lookup): void => {
    if (lookups.peek(hash) === lookup) lookups.delete(hash);
  };

  const freshLookup = (hash: string, now: Instant): Lookup | undefined => {
    const lookup = lookups.get(hash);
    return lookup === undefined || now < lookup.at || now - lookup.at >= MAX_AGE ? undefined : lookup;
  };

  const judgeKey = async (hash: string, address: string): Promise<Caller> => {
    const now = monotonic();
    const lookup = freshLookup(hash, now) ?? lookUp(hash, now);
    const known = lookup.known ?? (await lookup.pending);
    if (known === undefined) throw credentialInvalid('an API key that is not known');
    const { key, caller } = known;
    // A revocation does not depend on the clock: a step back must not revive a key.
    if (key.revokedAt !== undefined) throw credentialInvalid(`API key ${key.id} is revoked`);
    if (hasEnded(key)) {
      await onExpired?.(key.expiresAt);
      throw credentialInvalid(`API key ${key.id} has expired`);
    }
    if (isOutside(known, address)) {
      throw credentialInvalid(`API key ${key.id} was used from outside its source ranges`);
    }
    return caller;
  };

  const hasEnded = (key: ApiKey): key is ApiKey & { readonly expiresAt: Instant } =>
    key.expiresAt !== undefined && key.expiresAt <= clock();

  const judge = async (token: string, address: string, found: (hash: string) => void): Promise<Caller> => {
    const parsed = parseKey(token);
    if (parsed !== undefined) {
      const caller = await judgeKey(parsed.hash, address);
      found(parsed.hash);
      return caller;
    }
    if (!token.includes('.')) throw credentialInvalid('neither an API key nor an identity token');
    if (identityTokens === undefined) throw credentialInvalid('identity tokens are not configured');
    return identityTokens.verify(token);
  };

  /** @param tokenOf takes the token from the header, in the forms of the interface. */
  const judging = (
    to: Parameters<typeof credentialMissing>[0],
    tokenOf: typeof bearerToken,
  ): { readonly authenticate: Authenticate; readonly recognise: Recognise } => {
    // Headers of valid keys only, so that junk does not displace them. Whether a key is still valid is judged each time.
    const hashes = new LRUCache<string, string>({ max: MAX_HEADERS });
    return {
      authenticate: async ({ authorization }, address) => {
        const token = tokenOf(authorization);
        if (authorization === undefined || token === undefined) throw credentialMissing(to);
        return judge(token, address, (hash) => hashes.set(authorization, hash));
      },
      recognise: ({ authorization }, address) => {
        const hash = authorization === undefined ? undefined : hashes.get(authorization);
        const known = hash === undefined ? undefined : freshLookup(hash, monotonic())?.known;
        if (known === undefined) return undefined;
        const { key, caller } = known;
        const isValid = key.revokedAt === undefined && !hasEnded(key) && !isOutside(known, address);
        return isValid ? caller : undefined;
      },
    };
  };

  const rest = judging('rest', bearerToken);
  const taxii = judging('taxii', taxiiToken);
  return {
    authenticate: rest.authenticate,
    recognise: rest.recognise,
    authenticateTaxii: taxii.authenticate,
    recogniseTaxii: taxii.recognise,
  };
}

function isOutside({ key, ranges }: KnownKey, address: string): boolean {
  return key.sourceRanges.length > 0 && !liesWithin(ranges, address);
}

function toKnownKey(key: ApiKey | undefined): KnownKey | undefined {
  if (key === undefined) return undefined;
  return {
    key,
    ranges: key.sourceRanges.flatMap((text) => parseSourceRange(text) ?? []),
    caller: {
      credential: key.sensor ? 'sensor-key' : 'api-key',
      id: key.id,
      account: key.account,
      actor: key.id,
      ...(key.firstKeyId === undefined ? {} : { reportsAs: key.firstKeyId }),
      ...(key.group === undefined ? {} : { group: key.group }),
      name: key.name,
      scopes: new Set(key.scopes),
      ceiling: key.tlpCeiling,
      reliability: key.reliability,
      sources: key.sources,
      ...(key.expiresAt === undefined ? {} : { expiresAt: key.expiresAt }),
    },
  };
}
