// Identity tokens: access tokens of the configured identity provider as JWTs (RFC 7519, RFC 9068, RFC 8725).

import { errors, type JWTPayload, jwtVerify } from 'jose';
import { ServiceError } from '../domain/errors.ts';
import { type Clock, DAY, type Instant, SECOND } from '../domain/instant.ts';
import type { Caller } from './caller.ts';
import { credentialInvalid, MAX_CREDENTIAL_LENGTH } from './credential.ts';
import type { SigningKeys } from './signing-keys.ts';
import { ClaimError, type Claims } from './token-claims.ts';
import { readUnverified } from './token-json.ts';

export interface IdentityTokensConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly signingKeys: SigningKeys;
  /** The caller of a token whose signature, issuer, audience and times are verified. */
  readonly callerOf: (claims: Claims) => Caller | Promise<Caller>;
  readonly clock: Clock;
  /** Called before a token of the issuer is refused because it has ended. */
  readonly onExpired?: (expiresAt: Instant) => Promise<void>;
}

export interface IdentityTokens {
  /**
   * Rejects with ServiceError `unauthenticated` for every token that is not a valid access token for this service, with
   * `unavailable` when it needs keys of the provider and cannot fetch them.
   */
  verify(token: string): Promise<Caller>;
}

/** Public-key signatures only: a provider's public key must never serve as a shared secret (RFC 8725 §2.1). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA'],
];
/** RFC 9068 §2.1 requires `at+jwt`; many providers write `JWT` or nothing. Any other type is another kind of token. */
const TYPES = ['jwt', 'at+jwt'];
/** For `nbf` and `iat`. `exp` has no tolerance. */
const CLOCK_TOLERANCE = 30 * SECOND;
/** A later expiry is a mistake, such as milliseconds for seconds, or a token that nobody can revoke. */
const MAX_LIFETIME = 30 * DAY;

/** @throws TypeError unless issuer and audience are configured: a token is judged by both. */
export function createIdentityTokens(config: IdentityTokensConfig): IdentityTokens {
  const { issuer, audience, signingKeys, clock } = config;
  if (issuer === '' || audience === '') throw new TypeError('identity tokens need an issuer and an audience');

  const judge = async (token: string): Promise<Caller> => {
    if (token.length > MAX_CREDENTIAL_LENGTH) throw new ClaimError('too long');
    const [header, claims] = readUnverified(token);
    const { typ } = header;
    if (typ !== undefined && !(typeof typ === 'string' && TYPES.includes(shortType(typ)))) {
      throw new ClaimError('typ is not that of an access token');
    }
    // RFC 7797 §7: never in a JWT. jose refuses it only if the header marks it as critical.
    if (header.b64 !== undefined) throw new ClaimError('b64 does not belong in a JWT');
    // A token of another issuer must not cause a fetch of keys.
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
    return config.callerOf(payload);
  };

  return {
    verify: async (token) => {
      try {
        return await judge(token);
      } catch (error) {
        if (error instanceof errors.JWTExpired) await config.onExpired?.(Number(error.payload.exp) * SECOND);
        // Only the message, because errors of jose contain the claims, and no log may contain those.
        throw error instanceof ServiceError ? error : credentialInvalid(String(error));
      }
    },
  };
}

/** Drops `application/` and the case of a media type (RFC 7515 §4.1.9). */
function shortType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '');
}

/** Checks that jose does not make. It has checked that the times are numbers. */
function judgeTimes({ exp = 0, iat = 0 }: JWTPayload, now: Instant): void {
  if (exp * SECOND <= now) throw new ClaimError('exp has passed');
  if (exp * SECOND > now + MAX_LIFETIME) throw new ClaimError('exp is too far ahead');
  if (iat * SECOND > now + CLOCK_TOLERANCE) throw new ClaimError('iat lies ahead');
}
