// Requests of the web application: whether a page of the service makes them, who is signed in, and how a session begins
// and ends in the browser.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { DAY, SECOND } from '../../domain/instant.ts';
import type { Admit } from '../../gateway/admit.ts';
import { credentialMissing } from '../../gateway/credential.ts';
import {
  cookieValues,
  deviceCookieName,
  sessionCookieName,
  sessionHashOf,
  setCookie,
} from '../../gateway/session-cookie.ts';
import { isSameOrigin, requireRequestHeader } from '../../gateway/session-credential.ts';
import type { Site, SiteOf } from '../../gateway/site.ts';
import { parseSource } from '../../gateway/source-ranges.ts';
import type { KnownDevices } from '../../identity/known-device.ts';
import { newSecretToken } from '../../identity/secret-token.ts';
import type { Opening } from '../../identity/session-commands.ts';
import { findSession, SESSION_LIFETIME } from '../../identity/session-life.ts';
import type { Session, SignedIn, SignInMethod } from '../../store/session.ts';
import type { Stores } from '../../store/stores.ts';
import { admitRequest } from '../http/admission.ts';

export interface SessionRequests {
  /**
   * The site that the page belongs to.
   * @throws ServiceError `permission_denied` for a change that a foreign page asks for, or no page at all.
   */
  readonly ownSite: (request: FastifyRequest) => Site;
  /** Rejects as the gateway does, and with `unauthenticated` for any credential but a session. */
  readonly requireSession: (request: FastifyRequest, reply: FastifyReply) => Promise<SignedIn>;
  /** Undefined where nobody is signed in. */
  readonly findSession: (request: FastifyRequest, reply: FastifyReply) => Promise<SignedIn | undefined>;
  /**
   * Opens a session and gives its cookie to the browser. The session that the browser had ends.
   * @param open makes it durable; it may refuse.
   */
  readonly start: (
    request: FastifyRequest,
    reply: FastifyReply,
    method: SignInMethod,
    open: (opening: Opening) => Promise<Session>,
  ) => Promise<Session>;
  /** The mark of a browser in which this login has signed in before. */
  readonly knownDevice: (request: FastifyRequest, login: string) => string | undefined;
  /** Removes the cookie from the browser. */
  readonly forget: (request: FastifyRequest, reply: FastifyReply) => void;
}

export interface SessionRequestDeps {
  readonly admit: Admit;
  readonly siteOf: SiteOf;
  readonly stores: Pick<Stores, 'sessions' | 'people'>;
  readonly devices: KnownDevices;
}

/** How long a browser keeps the mark that it has signed in. */
const DEVICE_LIFETIME = 180 * DAY;
/** Characters of a User-Agent that are kept. */
const AGENT_LENGTH = 200;

export function createSessionRequests({
  admit,
  siteOf,
  stores,
  devices,
}: SessionRequestDeps): SessionRequests {
  const siteFor = ({ headers }: FastifyRequest): Site => {
    const site = siteOf(headers.host);
    if (site === undefined) throw foreign();
    return site;
  };
  const hashIn = (request: FastifyRequest): string | undefined => {
    const site = siteOf(request.headers.host);
    return site === undefined ? undefined : sessionHashOf(request.headers.cookie, site);
  };
  const requireSession = async (request: FastifyRequest, reply: FastifyReply): Promise<SignedIn> => {
    const { credential } = await admitRequest(admit, request, reply);
    const hash = credential === 'session' ? hashIn(request) : undefined;
    const found = hash === undefined ? undefined : await findSession(stores.sessions, hash);
    if (found === undefined) throw credentialMissing('rest');
    return found;
  };
  return {
    ownSite: (request) => {
      if (!isSameOrigin(request.headers, siteOf)) throw foreign();
      requireRequestHeader(request.headers, request.method);
      return siteFor(request);
    },
    requireSession,
    findSession: async (request, reply) => {
      if (hashIn(request) === undefined) return undefined;
      try {
        return await requireSession(request, reply);
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'unauthenticated') return undefined;
        throw error;
      }
    },
    start: async (request, reply, method, open) => {
      const site = siteFor(request);
      const { token, hash } = newSecretToken();
      const replacedHash = hashIn(request);
      const session = await open({
        hash,
        method,
        address: networkOf(request.ip),
        agent: agentOf(request),
        ...(replacedHash === undefined ? {} : { replacedHash }),
      });
      reply.header('set-cookie', setCookie(sessionCookieName(site), token, SESSION_LIFETIME / SECOND, site));
      const person = await stores.people.byId(session.personId);
      if (person !== undefined) {
        const mark = devices.mark(person.login);
        reply.header('set-cookie', setCookie(deviceCookieName(site), mark, DEVICE_LIFETIME / SECOND, site));
      }
      return session;
    },
    knownDevice: (request, login) => {
      const name = deviceCookieName(siteFor(request));
      const [mark = ''] = cookieValues(request.headers.cookie, name);
      return devices.knows(mark, login) ? mark : undefined;
    },
    forget: (request, reply) => {
      const site = siteFor(request);
      reply.header('set-cookie', setCookie(sessionCookieName(site), '', 0, site));
    },
  };
}

function foreign(): ServiceError {
  return new ServiceError('permission_denied', 'only a page of this service may ask for this', {
    reason: 'FOREIGN_ORIGIN',
  });
}

/** Enough to recognise where one was, and less than an address. */
function networkOf(address: string): string {
  const bytes = parseSource(address);
  if (bytes === undefined) return 'unknown';
  if (bytes.length === 4) return `${[...bytes].slice(0, 3).join('.')}.0/24`;
  const words = [0, 2, 4].map((at) => Buffer.from(bytes).readUInt16BE(at).toString(16));
  return `${words.join(':')}::/48`;
}

function agentOf({ headers }: FastifyRequest): string {
  return (headers['user-agent'] ?? '').replace(/\p{C}/gu, '').slice(0, AGENT_LENGTH);
}
