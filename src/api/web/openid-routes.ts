// /oidc: the embedded OpenID provider. /auth/interaction: what the page asks of a person whom a dashboard sent.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toRfc3339 } from '../../domain/instant.ts';
import type { SpendOfAddress } from '../../gateway/address-limit.ts';
import type { ProviderRequest } from '../../identity/provider/exchange.ts';
import type { Interactions, PendingSignIn } from '../../identity/provider/interactions.ts';
import type { OpenidProvider } from '../../identity/provider/openid-provider.ts';
import { bodyOf, readBodies } from '../http/body-reader.ts';
import { sendJson } from '../http/json-reply.ts';
import type { SessionRequests } from './session-requests.ts';

export interface OpenidRoutesDeps {
  readonly requests: Pick<SessionRequests, 'ownSite' | 'requireSession' | 'findSession'>;
  /** Loaded with the first request. Rejects with ServiceError `failed_precondition` where the service has no name. */
  readonly load: () => Promise<{ readonly provider: OpenidProvider; readonly interactions: Interactions }>;
  readonly spend: SpendOfAddress;
  /** For requests that begin a sign-in, since each is stored. */
  readonly spendStart: SpendOfAddress;
}

/** In bytes: a code, a verifier and an address fit many times. */
const BODY_LIMIT = 16_384;
const SIGN_IN_PAGE = '/app/sign-in';

export function registerOpenid(
  app: FastifyInstance,
  { requests, load, spend, spendStart }: OpenidRoutesDeps,
): void {
  app.register(async (scope) => {
    readBodies(scope);
    scope.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: '/oidc/*',
      bodyLimit: BODY_LIMIT,
      onRequest: async (request) => {
        await spend(request.ip);
        if (/^\/oidc\/(?:auth|session)\b/i.test(request.url)) await spendStart(request.ip);
      },
      handler: async (request, reply) => {
        const { provider } = await load();
        const { status, headers, body } = await provider.answer(providerRequest(request));
        for (const [name, value] of Object.entries(headers))
          if (value !== undefined && name !== 'content-length') reply.header(name, value);
        return reply.code(status).send(Buffer.from(body));
      },
    });
  });

  app.register(async (scope) => {
    readBodies(scope);
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store');
      done();
    });
    const url = '/auth/interaction/:id';
    scope.addHook('onRequest', (request) => spend(request.ip));

    scope.get(url, async (request, reply) => {
      reply.header('vary', 'Accept');
      const id = idOf(request);
      // The provider sends the browser here, and the page asks for the same address.
      if (request.headers.accept?.includes('text/html') === true)
        return reply.redirect(`${SIGN_IN_PAGE}?${new URLSearchParams({ interaction: id })}`, 303);
      const signedIn = await requests.findSession(request, reply);
      const { interactions } = await load();
      return send(reply, toJson(await interactions.describe(providerRequest(request), id, signedIn?.person)));
    });

    scope.post(url, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      requests.ownSite(request);
      const { person } = await requests.requireSession(request, reply);
      const { interactions } = await load();
      const continueTo = await interactions.approve(providerRequest(request), idOf(request), person);
      return send(reply, { continueTo });
    });

    scope.post(`${url}/refuse`, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      requests.ownSite(request);
      const { interactions } = await load();
      return send(reply, { continueTo: await interactions.refuse(providerRequest(request), idOf(request)) });
    });
  });
}

function providerRequest(request: FastifyRequest): ProviderRequest {
  const { method, url, headers } = request;
  return { method, url, headers, body: bodyOf(request) };
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}

function send(reply: FastifyReply, value: object): FastifyReply {
  return sendJson(reply, JSON.stringify(value));
}

function toJson({ expiresAt, ...pending }: PendingSignIn): object {
  return { ...pending, expireTime: toRfc3339(expiresAt) };
}
