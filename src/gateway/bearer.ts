// The credential in an Authorization header (RFC 9110 §11.6.2, RFC 6750 §2.1, RFC 7617).
//
// What is absent, malformed or over-long comes out as undefined: the request carries no credential.

/** Longer credentials are refused unread. */
export const MAX_CREDENTIAL_LENGTH = 8 * 1024;

/** Scheme and token68 (RFC 9110 §11.2). The classes do not overlap, so a match takes linear time. */
const CREDENTIAL = /^(bearer|basic|token) +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The token of the Bearer scheme, which is the only one of the REST interface. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [, scheme, token] = match(authorization) ?? [];
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

/**
 * The token of a TAXII client. Most can not send Bearer: they send `Token KEY`, or Basic with the key as password,
 * or as user name with an empty password (TAXII 2.1 §8.5.1 makes Basic the common ground).
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
  const password = decoded.slice(colon + 1);
  const token = password === '' ? decoded.slice(0, colon) : password;
  return token === '' ? undefined : token;
}
