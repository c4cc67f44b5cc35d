// A body that is longer than the route reads, and the client that is still sending it.

import type { FastifyInstance } from 'fastify';

/** What is announced beyond this is not worth reading only to be thrown away. */
const READ_AWAY_LIMIT = 64 * 1_024 * 1_024;

/**
 * The framework ends the connection with a 413. A client that has not sent its body yet then sees a broken pipe and never
 * the answer (RFC 9112 §9.6), so a body of bearable length is read away instead: Node does so where the connection stays.
 * It ends where nobody knows how much is to come, or whether anything is (see expectation.ts), and otherwise behind the
 * body, where the client asked for that.
 */
export function readRefusedBodies(app: FastifyInstance): void {
  app.addHook('onSend', async ({ headers, raw }, reply) => {
    const isBearable = Number(headers['content-length']) <= READ_AWAY_LIMIT && headers.expect === undefined;
    if (reply.statusCode !== 413 || !isBearable) return;
    reply.removeHeader('connection');
    if (reply.raw.shouldKeepAlive) return;
    reply.raw.shouldKeepAlive = true;
    raw.once('end', () => raw.socket.end());
  });
}
