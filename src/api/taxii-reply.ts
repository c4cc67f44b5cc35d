// How every TAXII answer leaves: media type, caching, and compression where it pays.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { acceptsGzip, TAXII_MEDIA_TYPE } from './taxii-negotiation.ts';

/** Below this many bytes the saving is smaller than the cost. */
const COMPRESS_FROM = 1_024;

/** Feed objects are repetitive: higher levels cost several times as much for little. */
const COMPRESSION_LEVEL = 1;

const compress = promisify(gzip);

/** @param body the bytes of JSON. */
export async function sendTaxii(reply: FastifyReply, body: Buffer): Promise<FastifyReply> {
  reply.header('cache-control', 'private');
  vary(reply);
  if (body.length < COMPRESS_FROM || !acceptsGzip(reply.request.headers['accept-encoding'])) {
    return sendBytes(reply, body);
  }
  const compressed = await compress(body, { level: COMPRESSION_LEVEL });
  return sendBytes(reply.header('content-encoding', 'gzip'), compressed);
}

/** Fastify adds a charset to a JSON type that is sent as text, and clients compare the type literally: hence bytes. */
export function sendBytes(reply: FastifyReply, body: Buffer): FastifyReply {
  return reply.header('content-type', TAXII_MEDIA_TYPE).send(body);
}

/** What an answer depends on, besides what was noted before (the origin, for instance). */
export function vary(reply: FastifyReply): void {
  const before = reply.getHeader('vary');
  const ours = 'Accept, Accept-Encoding, Authorization';
  reply.header('vary', before === undefined ? ours : `${before}, ${ours}`);
}
