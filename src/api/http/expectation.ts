// The header Expect (RFC 9110 §10.1.1): a client asks whether its body is wanted before it sends it.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * `100 Continue` goes out once it is known that the body will be read: the credential holds, and what is announced is
 * not too long. Otherwise the answer comes at once, and Node ends the connection after it, since nobody knows whether
 * the body follows. An expectation that is not that one is not ours to meet: the request is answered as any other,
 * where Node would refuse it without a body.
 */
export function meetExpectations(app: FastifyInstance): void {
  const asking = new WeakSet<IncomingMessage>();
  app.server.on('checkContinue', (request, response) => {
    asking.add(request);
    app.routing(request, response);
  });
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  // All hooks that judge the request come before this one.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, method, is404, routeOptions } = request;
    if (asking.has(raw) && !is404 && method !== 'GET' && method !== 'HEAD') {
      const announced = Number(raw.headers['content-length'] ?? 0);
      if (announced <= (routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY)) reply.raw.writeContinue();
    }
    done();
  });
}
