// The credential of the requests, and a wrong one of the same form.

/** Header fields with the credential. Empty for a server that needs none. */
export type Credential = Readonly<Record<string, string>>;

export function bearer(key: string): Credential {
  return { authorization: `Bearer ${key}` };
}

export function token(key: string): Credential {
  return { authorization: `Token ${key}` };
}

/** @param pair `user:password`. */
export function basic(pair: string): Credential {
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The same scheme with a made-up secret. Undefined if there is no Authorization header. */
export function wrongOf({ authorization }: Credential): Credential | undefined {
  const scheme = authorization?.split(' ', 1)[0];
  if (scheme === undefined) return undefined;
  const secret = 'nobody:conformance-suite-wrong-secret';
  return /^basic$/i.test(scheme) ? basic(secret) : { authorization: `${scheme} ${secret.slice(7)}` };
}

/** The same credential with the scheme in lower case. Undefined if there is no scheme. */
export function lowerCaseOf({ authorization }: Credential): Credential | undefined {
  return authorization === undefined
    ? undefined
    : { authorization: authorization.replace(/^\S+/, (scheme) => scheme.toLowerCase()) };
}
