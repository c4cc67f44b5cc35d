// Sending an answer without Fastify: it looks at the type of every body again, and takes a body in one piece only.

import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/** A body in parts. Bytes among them may be shared with other answers, so nobody may change them. */
export type Parts = readonly (string | Uint8Array)[];

export function lengthOfParts(parts: Parts): number {
  return parts.reduce(
    (sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.length),
    0,
  );
}

export function joinParts(parts: Parts): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/**
 * Sends the status and the headers of the reply with a body in parts, which are not copied. A short text goes to the system
 * together with the headers. Hooks at `onSend` do not run.
 * @param parts at least one.
 * @param length of all parts, in bytes.
 */
export function sendParts(
  reply: FastifyReply,
  parts: readonly (string | Uint8Array)[],
  length: number,
): void {
  const { raw } = reply;
  reply.header('content-length', length);
  reply.hijack();
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  const last = parts.length - 1;
  if (last > 0) raw.cork();
  for (let index = 0; index < last; index++) raw.write(parts[index]);
  raw.end(parts[last]);
}
