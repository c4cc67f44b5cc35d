// How every TAXII answer leaves: media type, caching, and compression where it pays.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { bodyTag, type EntityTag, formatTag, isKnown } from './entity-tags.ts';
import { acceptsGzip, TAXII_MEDIA_TYPE } from './negotiation.ts';

/** Below this many bytes the saving is smaller than the cost. */
const COMPRESS_FROM = 1_024;

/** Feed objects are repetitive: higher levels cost several times as much for little. */
const COMPRESSION_LEVEL = 1;

const compress = promisify(gzip);

/**
 * Sends 200, or 304 to a client that has this already.
 * @param tag names what `body` gives, which is not made for a 304.
 */
export async function sendTaxii(
  reply: FastifyReply,
  tag: EntityTag,
  body: () => Buffer,
): Promise<FastifyReply> {
  const { headers } = reply.request;
  reply.header('cache-control', 'private');
  vary(reply);
  // Compressed bytes are other bytes: what is compressed has a tag of its own, and both are of the same page.
  const plainTag = formatTag(tag);
  const gzipTag = formatTag(tag, '-gzip');
  const known = [plainTag, gzipTag].find((etag) => isKnown(headers['if-none-match'], etag));
  if (known !== undefined) return reply.code(304).header('etag', known).send();
  const bytes = body();
  if (bytes.length < COMPRESS_FROM || !acceptsGzip(headers['accept-encoding'])) {
    return sendBytes(reply.header('etag', plainTag), bytes);
  }
  const compressed = await compress(bytes, { level: COMPRESSION_LEVEL });
  return sendBytes(reply.header('etag', gzipTag).header('content-encoding', 'gzip'), compressed);
}

/** For small bodies that are made anyway. */
export function sendResource(reply: FastifyReply, body: Buffer): Promise<FastifyReply> {
  return sendTaxii(reply, bodyTag(body), () => body);
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
