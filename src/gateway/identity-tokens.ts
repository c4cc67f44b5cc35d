// Identity tokens: access tokens of the configured identity provider as JWTs (RFC 7519, RFC 9068, RFC 8725).

import { type JWTPayload, jwtVerify } from 'jose';
import { ServiceError } from '../domain/errors.ts';
import { type Clock, DAY, type Instant, SECOND } from '../domain/instant.ts';
import { MAX_CREDENTIAL_LENGTH } from './bearer.ts';
import type { Caller } from './caller.ts';
import { credentialInvalid } from './credential-error.ts';
import { hasDuplicateMembers } from './duplicate-members.ts';
import { createSigningKeys } from './signing-keys.ts';
import { ClaimError, type ClaimRules, callerOf } from './token-claims.ts';

export interface IdentityTokensConfig extends ClaimRules {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly clock: Clock;
  /** For the key set; default the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** For the key set; default 5 s. */
  readonly timeoutMs?: number;
}

export interface IdentityTokens {
  /**
   * Rejects with ServiceError `unauthenticated` for every token that is not a valid access token for this service,
   * with `unavailable` when the keys of the provider are needed and can not be had.
   */
  verify(token: string): Promise<Caller>;
}

/** Signatures with a public key only: a provider's public key must never serve as a shared secret (RFC 8725 §2.1). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA'],
];
/** RFC 9068 §2.1 demands `at+jwt`; many providers write `JWT` or nothing. Anything else is another kind of token. */
const TYPES = ['jwt', 'at+jwt'];
/** For `nbf` and `iat`. `exp` is taken at its word. */
const CLOCK_TOLERANCE = 30 * SECOND;
/** An expiry further ahead is a mistake (milliseconds, say) or a token that nobody can take back. */
const MAX_LIFETIME = 30 * DAY;

/** @throws TypeError when issuer, audience or key set is not configured: without all three no token can be judged. */
export function createIdentityTokens(config: IdentityTokensConfig): IdentityTokens {
  const { issuer, audience, jwksUrl, clock } = config;
  if (issuer === '' || audience === '' || !/^https?:$/.test(new URL(jwksUrl).protocol)) {
    throw new TypeError('identity tokens need an issuer, an audience and the http(s) address of a key set');
  }
  const signingKeys = createSigningKeys({ ...config, url: jwksUrl });

  const judge = async (token: string): Promise<Caller> => {
    if (token.length > MAX_CREDENTIAL_LENGTH) throw new ClaimError('too long');
    const [header, claims] = readUnverified(token);
    const { typ } = header;
    if (typ !== undefined && !(typeof typ === 'string' && TYPES.includes(shortType(typ)))) {
      throw new ClaimError('typ is not that of an access token');
    }
    // RFC 7797 §7: never in a JWT. jose refuses it where the header says that it is critical.
    if (header.b64 !== undefined) throw new ClaimError('b64 does not belong in a JWT');
    // Tokens of strangers must not make us ask for keys.
    if (claims.iss !== issuer) throw new ClaimError('iss is not the configured issuer');
    const now = clock();
    const { payload } = await jwtVerify(token, signingKeys, {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      requiredClaims: ['exp'],
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE / SECOND,
    });
    judgeTimes(payload, now);
    return callerOf(payload, config);
  };

  return {
    verify: async (token) => {
      try {
        return await judge(token);
      } catch (error) {
        // Only the message: errors of jose carry the claims along, which belong in no log.
        throw error instanceof ServiceError ? error : credentialInvalid(String(error));
      }
    },
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Header and claims before any signature is checked: only good for refusing. */
function readUnverified(token: string): [header: JsonObject, claims: JsonObject] {
  const parts = token.split('.');
  if (parts.length !== 3) throw new ClaimError('not a compact JWS');
  const [header = '', claims = ''] = parts;
  return [readObject(header), readObject(claims)];
}

function readObject(encoded: string): JsonObject {
  const text = Buffer.from(encoded, 'base64url').toString();
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ClaimError('not a JSON object');
  if (hasDuplicateMembers(text, value)) throw new ClaimError('a member is given twice');
  return value as JsonObject;
}

/** Without the words of JSON.parse, which quote what they could not read. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ClaimError('not JSON');
  }
}

/** Media types lose `application/` and their case (RFC 7515 §4.1.9). */
function shortType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}

/** What jose leaves to us; it has seen to it that the times are numbers. */
function judgeTimes({ exp = 0, iat = 0 }: JWTPayload, now: Instant): void {
  if (exp * SECOND <= now) throw new ClaimError('exp has passed');
  if (exp * SECOND > now + MAX_LIFETIME) throw new ClaimError('exp is too far ahead');
  if (iat * SECOND > now + CLOCK_TOLERANCE) throw new ClaimError('iat lies ahead');
}
