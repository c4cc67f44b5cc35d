// Sign-in at an external OpenID Connect issuer: authorization code with PKCE. The tokens of the issuer are used once, to learn
// who signed in, and are not kept.

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import { ServiceError } from '../../domain/errors.ts';
import { type Clock, HOUR, type Instant, MINUTE, SECOND } from '../../domain/instant.ts';
import { createIssuerFetch, ISSUER_TIMEOUT, type IssuerFetch, IssuerUnreachable } from './issuer-fetch.ts';
import { type SignedInPerson, signedInPerson } from './person-claims.ts';
import { challengeOf, type Transaction } from './transaction.ts';

export interface ExternalIssuerConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret?: string | undefined;
  /** Claim that names roles. Dots lead into it: `realm_access.roles`. */
  readonly rolesClaim?: string | undefined;
  /** Further origins that the issuer answers at, beside its own. */
  readonly origins: readonly string[];
}

export interface ExternalIssuer {
  /** Where the browser goes. Rejects with ServiceError `unavailable` when the issuer cannot be reached. */
  authorizationUrl(transaction: Transaction, redirectUri: string): Promise<string>;
  /**
   * Who signed in.
   * @param answer the redirect URI with the parameters with which the issuer sent the browser back.
   * Rejects with ServiceError `unauthenticated` for an answer that is not of this transaction or refuses, with
   * `unavailable` when the issuer cannot be reached.
   */
  redeem(answer: URL, transaction: Transaction): Promise<SignedInPerson>;
}

/** What the issuer publishes about itself is read again after this time. */
const MAX_AGE = HOUR;
/** After the first failure; it doubles with each further one. */
const FIRST_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = 5 * MINUTE;

/** Nothing is asked before the first sign-in. @param clock monotonic. */
export function createExternalIssuer(
  config: ExternalIssuerConfig,
  clock: Clock,
  fetch = globalThis.fetch,
): ExternalIssuer {
  const { issuer, clientId, clientSecret, rolesClaim } = config;
  const server = new URL(issuer);
  const issuerFetch = createIssuerFetch(new Set([server.origin, ...config.origins]), fetch);
  let known: { readonly client: Configuration; readonly at: Instant } | undefined;
  let failures = 0;
  let failedAt = 0;
  let failure: unknown;
  let discovering: Promise<Configuration> | undefined;

  const discover = async (): Promise<Configuration> => {
    const at = clock();
    try {
      const client = await discovery(server, clientId, clientSecret, None(), {
        [customFetch]: issuerFetch,
        timeout: ISSUER_TIMEOUT / SECOND,
        // Configuration allows plain HTTP on loopback only.
        execute: server.protocol === 'http:' ? [allowInsecureRequests] : [],
      });
      const authenticated = withAuthentication(client, config, issuerFetch);
      known = { client: authenticated, at };
      failures = 0;
      return authenticated;
    } catch (error) {
      failures += 1;
      failedAt = clock();
      failure = error;
      // What was read before stays good: the issuer may only be slow to publish.
      if (known !== undefined) return known.client;
      throw unavailable(error, pause());
    } finally {
      discovering = undefined;
    }
  };

  const pause = (): number => Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1));

  const client = async (): Promise<Configuration> => {
    const now = clock();
    if (known !== undefined && now - known.at < MAX_AGE) return known.client;
    if (failures > 0 && now - failedAt < pause()) {
      if (known !== undefined) return known.client;
      throw unavailable(failure, pause() - (now - failedAt));
    }
    discovering ??= discover();
    return discovering;
  };

  return {
    authorizationUrl: async (transaction, redirectUri) => {
      const url = buildAuthorizationUrl(await client(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: transaction.state,
        nonce: transaction.nonce,
        code_challenge: challengeOf(transaction),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    redeem: async (answer, { state, nonce, verifier }) => {
      const current = await client();
      try {
        const tokens = await authorizationCodeGrant(current, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('the issuer sent no ID token');
        const person = signedInPerson(claims, rolesClaim);
        if (person.isComplete || current.serverMetadata().userinfo_endpoint === undefined) return person;
        const more = await fetchUserInfo(current, tokens.access_token, claims.sub);
        return signedInPerson({ ...more, ...claims }, rolesClaim);
      } catch (error) {
        throw error instanceof IssuerUnreachable ? unavailable(error, FIRST_PAUSE) : refused(error);
      }
    },
  };
}

/** As the issuer wants it. Its ID tokens are verified by signature, although they come from itself over TLS. */
function withAuthentication(
  discovered: Configuration,
  { issuer, clientId, clientSecret }: ExternalIssuerConfig,
  fetch: IssuerFetch,
): Configuration {
  const metadata = discovered.serverMetadata();
  // Some libraries make an exception for issuers with many tenants, whose people this service cannot tell apart.
  if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new Error('the issuer has another name');
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const secret = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
  const authentication = clientSecret === undefined ? None() : secret(clientSecret);
  const client = new Configuration(metadata, clientId, clientSecret, authentication);
  client[customFetch] = fetch;
  client.timeout = ISSUER_TIMEOUT / SECOND;
  if (new URL(issuer).protocol === 'http:') allowInsecureRequests(client);
  enableNonRepudiationChecks(client);
  return client;
}

function unavailable(cause: unknown, retryAfterMs: number): ServiceError {
  return new ServiceError('unavailable', 'the identity provider cannot be reached at the moment', {
    reason: 'IDENTITY_PROVIDER_UNAVAILABLE',
    retryAfterMs,
    cause: nameOf(cause),
  });
}

function refused(cause: unknown): ServiceError {
  return new ServiceError('unauthenticated', 'the sign-in at the identity provider was not completed', {
    reason: 'SIGN_IN_REFUSED',
    cause: nameOf(cause),
  });
}

/** Errors of the library carry whole answers of the issuer, tokens among them: only their names go to the log. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, error: answered } = error as { code?: unknown; error?: unknown };
  return [error.message, code, answered]
    .filter((part) => typeof part === 'string')
    .join('; ')
    .slice(0, 300);
}
