// JSON answers: `application/json` without a parameter, as a Protobuf gateway sends it, and lists of stored JSON texts.

import type { FastifyReply } from 'fastify';
import { findCaller } from './admission.ts';
import { holdAnswer } from './answer-room.ts';
import { sendParts } from './raw-answer.ts';

/** @param json the whole body. */
export function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  // As bytes, because Fastify adds a charset to the type of a text.
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  holdAnswer(reply, findCaller(reply.request)?.id, bytes.length);
  return reply
    .header('content-type', 'application/json')
    .header('x-content-type-options', 'nosniff')
    .send(bytes);
}

/** The same for answers of operations: past what Fastify does for errors and for bodies of any type. */
export function answerJson(reply: FastifyReply, json: string | Buffer): void {
  const bytes = typeof json === 'string' ? Buffer.byteLength(json) : json.length;
  holdAnswer(reply, findCaller(reply.request)?.id, bytes);
  reply.header('content-type', 'application/json').header('x-content-type-options', 'nosniff');
  sendParts(reply, [json], bytes);
}

const COMMA = 0x2c;

/**
 * Writes `before[item,item]behind` into one buffer. Each text is encoded once, into its place: joining the texts to one
 * string first takes three times as long.
 * @param items JSON values, each as text or as bytes. One item may have several values with commas between them.
 */
export function jsonList(before: string, items: readonly (string | Uint8Array)[], behind: string): Buffer {
  const [open, close] = [`${before}[`, `]${behind}`];
  let size = Buffer.byteLength(open) + Buffer.byteLength(close) + Math.max(items.length - 1, 0);
  for (const item of items) size += typeof item === 'string' ? Buffer.byteLength(item) : item.length;
  const bytes = Buffer.allocUnsafe(size);
  let end = bytes.write(open);
  for (const [index, item] of items.entries()) {
    if (index > 0) bytes[end++] = COMMA;
    if (typeof item === 'string') {
      end += bytes.write(item, end);
    } else {
      bytes.set(item, end);
      end += item.length;
    }
  }
  bytes.write(close, end);
  return bytes;
}
