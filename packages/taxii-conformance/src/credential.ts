// The credential that goes with requests, and one that looks like it and is wrong.

/** Header fields that carry the credential. Empty for a server that asks for none. */
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

/** The same scheme with a secret that nobody has; undefined where there is no Authorization header to change. */
export function wrongOf({ authorization }: Credential): Credential | undefined {
  const scheme = authorization?.split(' ', 1)[0];
  if (scheme === undefined) return undefined;
  const secret = 'nobody:conformance-suite-wrong-secret';
  return /^basic$/i.test(scheme) ? basic(secret) : { authorization: `${scheme} ${secret.slice(7)}` };
}

/** The same with the name of the scheme in lower case; undefined where there is none. */
export function lowerCaseOf({ authorization }: Credential): Credential | undefined {
  return authorization === undefined
    ? undefined
    : { authorization: authorization.replace(/^\S+/, (scheme) => scheme.toLowerCase()) };
}
