// Cross-origin requests (Fetch Standard §3.3) from the origins that the configuration names. Pages of other origins get no
// CORS headers.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedMethods } from './allowed-methods.ts';

const ALLOWED_HEADERS = 'Authorization, Content-Type, Accept, Last-Event-ID';
/** Headers that a page may read besides the CORS-safelisted ones. */
const EXPOSED_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-TAXII-Date-Added-First',
  'X-TAXII-Date-Added-Last',
].join(', ');
/** Seconds that a browser may cache the answer to a preflight request. */
const MAX_AGE = '3600';

/**
 * The hook runs before authentication, because browsers send preflight requests without a credential.
 * @param origins as browsers write them: scheme, host, and the port unless it is the default one.
 */
export function corsHook(
  origins: readonly string[],
  allowedMethods: AllowedMethods,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined> {
  return async (request, reply) => {
    // On every answer: a cache must not give an answer without CORS headers to a page that may call.
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply.header('access-control-allow-origin', origin);
    const methods = isPreflight(request) ? allowedMethods(request.url.split('?', 1)[0] ?? '') : [];
    if (methods.length === 0) {
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      return;
    }
    return reply
      .code(204)
      .header('access-control-allow-methods', methods.join(', '))
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', MAX_AGE)
      .send();
  };
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
