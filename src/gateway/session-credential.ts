// A session cookie as a credential. It counts only for requests that a page of the service makes: a browser sends cookies
// for requests of foreign pages too.

import { ServiceError } from '../domain/errors.ts';
import type { Clock, Instant } from '../domain/instant.ts';
import type { Caller } from './caller.ts';
import { credentialInvalid, credentialMissing } from './credential.ts';
import { createFreshReads } from './fresh-reads.ts';
import { sessionHashOf } from './session-cookie.ts';
import type { SiteOf } from './site.ts';

type Header = string | string[] | undefined;

export interface SessionHeaders {
  readonly authorization?: string | undefined;
  readonly 'x-api-key'?: Header;
  readonly cookie?: string | undefined;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: Header;
  readonly 'x-tis-request'?: Header;
}

/** A session as it is in the store. */
export interface KnownSession {
  readonly caller: Caller;
  readonly endsAt: Instant;
}

export interface SessionCredentials {
  /**
   * The caller of the session whose cookie the request has; undefined for a request without one, or where cookies do not
   * count. Throws or rejects with ServiceError `unauthenticated` for a session that has ended and for the page of another
   * origin, and with `permission_denied` without the header X-TIS-Request.
   * @param method of the request; without it no cookie counts.
   */
  authenticate(headers: SessionHeaders, method: string | undefined): Promise<Caller> | undefined;
}

export interface SessionCredentialOptions {
  readonly siteOf: SiteOf;
  /** The session with this hash, unless it is gone or its person is disabled. */
  readonly find: (hash: string) => Promise<KnownSession | undefined>;
  /** Judges whether a session has ended. */
  readonly clock: Clock;
  /** For the age of what was read. */
  readonly monotonic: Clock;
  /** Called before a session is refused for its age. */
  readonly onExpired?: (endsAt: Instant) => Promise<void>;
}

/** The most sessions that are remembered. */
const MAX_SESSIONS = 10_000;

export function createSessionCredentials(options: SessionCredentialOptions): SessionCredentials {
  const { siteOf, find, clock, monotonic, onExpired } = options;
  const sessions = createFreshReads(find, monotonic, MAX_SESSIONS);
  const judge = async (hash: string): Promise<Caller> => {
    const known = await sessions.get(hash);
    if (known === undefined) throw credentialInvalid('a session that is not known or has ended');
    if (known.endsAt <= clock()) {
      await onExpired?.(known.endsAt);
      throw credentialInvalid('a session that has expired');
    }
    return known.caller;
  };
  return {
    authenticate: (headers, method) => {
      const { authorization, cookie, host } = headers;
      if (method === undefined || cookie === undefined) return undefined;
      if (authorization !== undefined || headers['x-api-key'] !== undefined) return undefined;
      const site = siteOf(host);
      const hash = site === undefined ? undefined : sessionHashOf(cookie, site);
      if (hash === undefined) return undefined;
      // As if there were no cookie.
      if (!isSameOrigin(headers, siteOf)) throw credentialMissing('rest');
      requireRequestHeader(headers, method);
      return judge(hash);
    },
  };
}

/** Whether a page of the service makes the request, as the browser says. */
export function isSameOrigin(headers: SessionHeaders, siteOf: SiteOf): boolean {
  const { origin, host, 'sec-fetch-site': fetchSite } = headers;
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  return origin !== undefined && siteOf(host)?.origins.includes(origin) === true;
}

/**
 * No form and no page of another origin can send this header without being asked for permission first.
 * @throws ServiceError `permission_denied` for a change without it.
 */
export function requireRequestHeader(headers: SessionHeaders, method: string): void {
  if (method === 'GET' || method === 'HEAD' || headers['x-tis-request'] === '1') return;
  throw new ServiceError('permission_denied', 'the header X-TIS-Request: 1 is missing', {
    reason: 'REQUEST_HEADER_MISSING',
  });
}
