// Identity tokens of several issuers. Each judges its own tokens; a token names its issuer.

import { credentialInvalid } from './credential.ts';
import type { IdentityTokens } from './identity-tokens.ts';
import { readUnverified } from './token-json.ts';

/** An issuer, and what judges its tokens: loaded with the first of them. */
export interface TokenIssuer {
  /** Undefined while it has no name. */
  readonly issuer: () => string | undefined;
  readonly load: () => Promise<IdentityTokens>;
}

export function createTokenIssuers(issuers: readonly TokenIssuer[]): IdentityTokens {
  const loaded = new Map<TokenIssuer, Promise<IdentityTokens>>();
  return {
    verify: async (token) => {
      const named = issuerOf(token);
      const found = issuers.find(({ issuer }) => issuer() === named);
      if (found === undefined || named === undefined) throw credentialInvalid('a token of an unknown issuer');
      const judge = loaded.get(found) ?? found.load();
      loaded.set(found, judge);
      return (await judge).verify(token);
    },
  };
}

/** Before anything of the token is verified: the issuer that is found so judges all of it. */
function issuerOf(token: string): string | undefined {
  try {
    const [, { iss }] = readUnverified(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch (error) {
    throw credentialInvalid(String(error));
  }
}
