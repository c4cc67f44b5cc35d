// Cross-origin requests from the pages that the configuration names (Fetch Standard §3.3); no other page is told anything.

import type { FastifyReply, FastifyRequest } from 'fastify';

const ALLOWED_HEADERS = 'Authorization, Content-Type, Accept';
/** What a page may read beside the few headers it always may. */
const EXPOSED_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-TAXII-Date-Added-First',
  'X-TAXII-Date-Added-Last',
].join(', ');
/** Seconds for which a browser need not ask again. */
const MAX_AGE = '3600';

/**
 * A hook for before authentication, since browsers send preflight requests without a credential.
 * @param origins exact, as browsers write them: scheme, host, and the port where it is not the usual one.
 * @param allowedMethods of a path; none when it is unknown.
 */
export function corsHook(
  origins: readonly string[],
  allowedMethods: (path: string) => readonly string[],
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined> {
  return async (request, reply) => {
    // Also on the answer to a stranger: a cache must not hand it to a page that may have more.
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
