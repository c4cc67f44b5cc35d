// How every REST answer leaves: `application/json` without a parameter, as a Protobuf gateway sends it.

import type { FastifyReply } from 'fastify';

/** @param json the whole body. */
export function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  // As bytes: Fastify adds no charset to their type, and text is encoded once instead of by the socket.
  return reply
    .header('content-type', 'application/json')
    .header('x-content-type-options', 'nosniff')
    .send(typeof json === 'string' ? Buffer.from(json) : json);
}
