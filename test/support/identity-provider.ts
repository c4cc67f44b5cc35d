// An identity provider: a key set behind a real HTTP server, and tokens with any claims.

import { ecKey, keySet, signToken, startServer } from '../../src/gateway/local-issuer.test-support.ts';

export interface IdentityProvider {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** Given claims replace the usual ones; undefined removes one. */
  token(claims?: Readonly<Record<string, unknown>>): string;
  /** A token with the usual claims, signed by another key of the same name. */
  forgedToken(): string;
  close(): Promise<void>;
}

const AUDIENCE = 'threat-indicator-service';
const LIFETIME_S = 600;

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const key = ecKey('signing');
  const stranger = ecKey('signing');
  const server = await startServer(keySet(key));
  const header = { alg: key.alg, kid: key.kid, typ: 'at+jwt' };
  const usual = () => {
    const now = Math.floor(Date.now() / 1_000);
    return { iss: server.url, aud: AUDIENCE, sub: 'ann', iat: now, exp: now + LIFETIME_S };
  };
  return {
    issuer: server.url,
    audience: AUDIENCE,
    jwksUrl: `${server.url}/jwks.json`,
    token: (claims = {}) => signToken(header, { ...usual(), ...claims }, key.privateKey, key.alg),
    forgedToken: () => signToken(header, { ...usual(), scope: 'admin' }, stranger.privateKey, key.alg),
    close: server.close,
  };
}
