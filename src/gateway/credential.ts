// The credential in an Authorization header (RFC 9110 §11.6.2, RFC 6750 §2.1, RFC 7617), and the 401 for a missing or invalid one.
//
// A header that is absent, malformed or too long holds no credential.

import { ServiceError } from '../domain/errors.ts';
import { parseKey } from './key-format.ts';

/** A longer credential is not read. */
export const MAX_CREDENTIAL_LENGTH = 8 * 1024;

/** Scheme and token68 (RFC 9110 §11.2). The character classes do not overlap, so matching takes linear time. */
const CREDENTIAL = /^(bearer|basic|token) +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The token of the Bearer scheme, the only scheme of the REST interface. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [, scheme, token] = match(authorization) ?? [];
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

/**
 * The token of a TAXII client. Most cannot send Bearer. They send `Token KEY`, or Basic with the key as the password or as
 * the user name (TAXII 2.1 §8.5.1 requires servers to support Basic). If both are keys, the password counts.
 */
export function taxiiToken(authorization: string | undefined): string | undefined {
  const [, scheme, token] = match(authorization) ?? [];
  if (scheme === undefined || token === undefined) return undefined;
  return scheme.toLowerCase() === 'basic' ? basicToken(token) : token;
}

function match(authorization: string | undefined): RegExpExecArray | null {
  if (authorization === undefined || authorization.length > MAX_CREDENTIAL_LENGTH) return null;
  return CREDENTIAL.exec(authorization);
}

function basicToken(encoded: string): string | undefined {
  const decoded = Buffer.from(encoded, 'base64').toString();
  const colon = decoded.indexOf(':');
  if (colon < 0) return undefined;
  const [user, password] = [decoded.slice(0, colon), decoded.slice(colon + 1)];
  const isUser = password === '' || (parseKey(user) !== undefined && parseKey(password) === undefined);
  const token = isUser ? user : password;
  return token === '' ? undefined : token;
}

/** What each interface accepts in the Authorization header. */
const ACCEPTED = {
  rest: 'a Bearer credential of at most 8 KiB is needed in the Authorization header',
  taxii:
    'an API key is needed in the Authorization header: as the password or user name of Basic, as Token or as Bearer, of at most 8 KiB',
} as const;

/** The request has no credential in a form that this interface accepts. */
export function credentialMissing(to: keyof typeof ACCEPTED): ServiceError {
  return new ServiceError('unauthenticated', ACCEPTED[to], { reason: 'CREDENTIAL_MISSING' });
}

/**
 * The same answer to every invalid credential, so that guessing teaches nothing.
 * @param cause for the log: never the credential or a part of it.
 */
export function credentialInvalid(cause: unknown): ServiceError {
  return new ServiceError('unauthenticated', 'the credential is not valid', {
    reason: 'CREDENTIAL_INVALID',
    cause,
  });
}
