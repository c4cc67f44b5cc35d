// /auth/start and /auth/callback: a browser goes to the external issuer and comes back. Both are navigations, so what went
// wrong is shown by the sign-in page of the web application.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAppPath } from '../../domain/app-path.ts';
import { invalidArgument, ServiceError } from '../../domain/errors.ts';
import { type Clock, SECOND } from '../../domain/instant.ts';
import type { SpendOfAddress } from '../../gateway/address-limit.ts';
import { cookieValues } from '../../gateway/session-cookie.ts';
import type { Site, SiteOf } from '../../gateway/site.ts';
import type { ExternalIssuer } from '../../identity/external/external-issuer.ts';
import type { SignedInPerson } from '../../identity/external/person-claims.ts';
import {
  beginTransaction,
  TRANSACTION_LIFETIME,
  type TransactionSealer,
} from '../../identity/external/transaction.ts';
import type { Opening } from '../../identity/session-commands.ts';
import type { Session } from '../../store/session.ts';
import type { SessionRequests } from './session-requests.ts';

export interface ExternalSignInDeps {
  readonly requests: Pick<SessionRequests, 'start'>;
  readonly siteOf: SiteOf;
  /** Loaded with the first sign-in. */
  readonly issuer: () => Promise<ExternalIssuer>;
  readonly sealer: TransactionSealer;
  readonly openSession: (person: SignedInPerson, opening: Opening) => Promise<Session>;
  readonly spend: SpendOfAddress;
  readonly clock: Clock;
}

const CALLBACK = '/auth/callback';
const START_PAGE = '/app/';
const SIGN_IN_PAGE = '/app/sign-in';

export function registerExternalSignIn(app: FastifyInstance, deps: ExternalSignInDeps): void {
  const { requests, siteOf, issuer, sealer, openSession, spend, clock } = deps;

  const siteFor = ({ headers }: FastifyRequest): Site => {
    const site = siteOf(headers.host);
    if (site !== undefined) return site;
    throw new ServiceError('invalid_argument', 'the Host header names no host', { reason: 'MISSING_HOST' });
  };

  app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store');
      done();
    });

    scope.get('/auth/start', async (request, reply) => {
      await spend(request.ip);
      const returnTo = queryOf(request).get('returnTo') ?? START_PAGE;
      if (!isAppPath(returnTo))
        throw invalidArgument([{ field: 'returnTo', description: 'must be a path below /app/' }]);
      const site = siteFor(request);
      return showing(request, reply, returnTo, async () => {
        const transaction = beginTransaction(returnTo, clock());
        const url = await (await issuer()).authorizationUrl(transaction, redirectUriOf(site));
        reply.header('set-cookie', cookieOf(site, sealer.seal(transaction), TRANSACTION_LIFETIME / SECOND));
        return reply.redirect(url, 303);
      });
    });

    scope.get(CALLBACK, async (request, reply) => {
      await spend(request.ip);
      const site = siteFor(request);
      const [sealed = '', ...others] = cookieValues(request.headers.cookie, cookieNameOf(site));
      // Whatever comes of it, the transaction is over.
      reply.header('set-cookie', cookieOf(site, '', 0));
      const transaction = others.length > 0 ? undefined : sealer.open(sealed, clock());
      return showing(request, reply, transaction?.returnTo ?? START_PAGE, async () => {
        if (transaction === undefined)
          throw new ServiceError('unauthenticated', 'no sign-in is under way in this browser; start again', {
            reason: 'SIGN_IN_REFUSED',
          });
        const answer = new URL(redirectUriOf(site));
        answer.search = queryOf(request).toString();
        const person = await (await issuer()).redeem(answer, transaction);
        await requests.start(request, reply, 'openid', (opening) => openSession(person, opening));
        return reply.redirect(transaction.returnTo, 303);
      });
    });
  });
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const query = url.indexOf('?');
  return new URLSearchParams(query === -1 ? '' : url.slice(query));
}

/** Compared character by character with what is registered at the issuer. */
function redirectUriOf({ origins: [origin] }: Site): string {
  return `${origin}${CALLBACK}`;
}

function cookieNameOf({ secure }: Site): string {
  return secure ? '__Host-tis-start' : 'tis-start';
}

/** Lax: the browser comes back from a page of the issuer. */
function cookieOf(site: Site, value: string, maxAge: number): string {
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${site.secure ? '; Secure' : ''}`;
  return `${cookieNameOf(site)}=${value}; ${attributes}`;
}

/** A browser gets a page with the reason of an error; everybody else gets the error. */
async function showing(
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || request.headers.accept?.includes('text/html') !== true)
      throw error;
    const { reason, cause } = error.details;
    request.log.warn({ reason, cause }, 'a sign-in at the identity provider failed');
    const query = new URLSearchParams({ error: reason, returnTo });
    return reply.redirect(`${SIGN_IN_PAGE}?${query}`, 303);
  }
}
