// The cookie of a session: 32 random bytes that a browser keeps for a person (RFC 6265).

import { hash } from 'node:crypto';
import type { Site } from './site.ts';

const FORM = /^[A-Za-z0-9_-]{43}$/;
/** `__Host-` binds the cookie to this host and to TLS. Browsers refuse it on plain HTTP. */
export function sessionCookieName({ secure }: Pick<Site, 'secure'>): string {
  return secure ? '__Host-tis-session' : 'tis-session';
}

/** Marks a browser in which somebody has signed in. */
export function deviceCookieName({ secure }: Pick<Site, 'secure'>): string {
  return secure ? '__Host-tis-device' : 'tis-device';
}

/** SHA-256 of the token in a Cookie header, hex. Undefined without a well-formed token, and for two of them. */
export function sessionHashOf(header: string | undefined, site: Pick<Site, 'secure'>): string | undefined {
  const values = cookieValues(header, sessionCookieName(site));
  const [token = ''] = values;
  return values.length === 1 && FORM.test(token) ? hash('sha256', token, 'hex') : undefined;
}

/** The values of all cookies with a name. */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (header === undefined) return [];
  const prefix = `${name}=`;
  return header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
}

/** A Set-Cookie header. @param maxAge in seconds; 0 removes the cookie. */
export function setCookie(
  name: string,
  value: string,
  maxAge: number,
  { secure }: Pick<Site, 'secure'>,
): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}
