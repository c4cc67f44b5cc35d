// Request bodies on the wire: when a client is told to send its body, and what happens to a body that is too long.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Answers `Expect: 100-continue` (RFC 9110 §10.1.1). `100 Continue` is sent once the request has passed every check
 * before its body: the credential, the rights and the announced length. Otherwise the final answer is sent at once, and
 * Node closes the connection, because the client may or may not send the body. Other expectations are ignored; Node's
 * own answer to them would have no body.
 */
export function answerExpectContinue(app: FastifyInstance): void {
  const expecting = new WeakSet<IncomingMessage>();
  app.server.on('checkContinue', (request, response) => {
    expecting.add(request);
    app.routing(request, response);
  });
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  // preParsing runs after the onRequest hooks, which judge the request.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, method, is404, routeOptions } = request;
    if (expecting.has(raw) && !is404 && method !== 'GET' && method !== 'HEAD') {
      const announced = Number(raw.headers['content-length'] ?? 0);
      if (announced <= (routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY)) reply.raw.writeContinue();
    }
    done();
  });
}

/** A longer body is not read only to be thrown away. */
const DRAIN_LIMIT = 64 * 1_024 * 1_024;

/**
 * Reads and drops the body of a request that was refused with 413. Fastify would end the connection at once; a client
 * that is still sending then sees a broken pipe and never the answer (RFC 9112 §9.6). Node drains the body if the
 * connection stays open. A client that asked for a close gets it after the body. The connection ends at once if the
 * length is unknown, or if the client waits for `100 Continue`.
 */
export function drainRefusedBodies(app: FastifyInstance): void {
  const drain = ({ headers, raw }: FastifyRequest, reply: FastifyReply): void => {
    const drains = Number(headers['content-length']) <= DRAIN_LIMIT && headers.expect === undefined;
    if (!drains) return;
    reply.removeHeader('connection');
    if (reply.raw.shouldKeepAlive) return;
    reply.raw.shouldKeepAlive = true;
    raw.once('end', () => raw.socket.end());
  };
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 413) drain(request, reply);
    done();
  });
}
