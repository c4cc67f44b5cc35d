// Authentication: finds the caller from the headers and the address.

import { LRUCache } from 'lru-cache';
import type { Clock, Instant } from '../domain/instant.ts';
import type { AddressRange } from '../domain/observable/address.ts';
import type { ApiKey, ApiKeyReader } from '../store/api-key.ts';
import type { Caller } from './caller.ts';
import { bearerToken, credentialInvalid, credentialMissing, taxiiToken } from './credential.ts';
import { createFreshReads } from './fresh-reads.ts';
import type { IdentityTokens } from './identity-tokens.ts';
import { parseKey } from './key-format.ts';
import type { SessionCredentials, SessionHeaders } from './session-credential.ts';
import { liesWithin, parseSourceRange } from './source-ranges.ts';

export interface RequestHeaders extends SessionHeaders {
  readonly authorization?: string | undefined;
}

/**
 * Resolves to the caller. Rejects with ServiceError `unauthenticated` without a valid credential, `unavailable` when the
 * credential cannot be checked.
 * @param address of the client: source ranges go by it.
 * @param method of the request, where its session cookie counts.
 */
export type Authenticate = (headers: RequestHeaders, address: string, method?: string) => Promise<Caller>;

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
  /** Without it no session cookie counts. TAXII takes none at all. */
  readonly sessions?: SessionCredentials;
  /** Judges whether a key has ended. */
  readonly clock: Clock;
  /** For the age of cached keys; `clock` by default. */
  readonly monotonic?: Clock;
  /** Called before a key is refused because it has ended. */
  readonly onExpired?: (expiresAt: Instant) => Promise<void>;
  /** The most keys that are cached. */
  readonly maxKeys?: number;
}

/** Headers of valid keys whose hashes are remembered, by interface. Hashing a key takes longer than reading an indicator. */
const MAX_HEADERS = 1_000;

/** A key as read from the store, and its caller. */
interface KnownKey {
  readonly key: ApiKey;
  readonly ranges: readonly AddressRange[];
  readonly caller: Caller;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { keys, identityTokens, sessions, clock, monotonic = clock, onExpired, maxKeys = 10_000 } = options;
  const knownKeys = createFreshReads(async (hash) => toKnownKey(await keys.byHash(hash)), monotonic, maxKeys);

  const judgeKey = async (hash: string, address: string): Promise<Caller> => {
    const known = await knownKeys.get(hash);
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
      authenticate: async (headers, address, method) => {
        const { authorization } = headers;
        const ofSession = to === 'rest' ? sessions?.authenticate(headers, method) : undefined;
        if (ofSession !== undefined) return ofSession;
        const token = tokenOf(authorization);
        if (authorization === undefined || token === undefined) throw credentialMissing(to);
        return judge(token, address, (hash) => hashes.set(authorization, hash));
      },
      recognise: ({ authorization }, address) => {
        const hash = authorization === undefined ? undefined : hashes.get(authorization);
        const known = hash === undefined ? undefined : knownKeys.atHand(hash);
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
