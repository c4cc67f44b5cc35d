// JSON answers: `application/json` without a parameter, as a Protobuf gateway sends it, and lists of stored JSON texts.

import type { FastifyReply } from 'fastify';
import { findCaller } from './admission.ts';
import { holdAnswer } from './answer-room.ts';
import { lengthOfParts, type Parts, sendParts } from './raw-answer.ts';

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
export function answerJson(reply: FastifyReply, json: string | Buffer | Parts): void {
  const parts = typeof json === 'string' || Buffer.isBuffer(json) ? [json] : json;
  const bytes = lengthOfParts(parts);
  holdAnswer(reply, findCaller(reply.request)?.id, bytes);
  reply.header('content-type', 'application/json').header('x-content-type-options', 'nosniff');
  sendParts(reply, parts, bytes);
}

/**
 * `before[item,item]behind` as text or bytes to be sent one after the other. Bytes are not copied.
 * @param items JSON values, each as text or as bytes. One item may have several values with commas between them.
 */
export function jsonParts(before: string, items: Parts, behind: string): Parts {
  const parts: (string | Uint8Array)[] = [];
  let text = `${before}[`;
  for (const [index, item] of items.entries()) {
    if (index > 0) text += ',';
    if (typeof item === 'string') {
      text += item;
    } else {
      parts.push(text, item);
      text = '';
    }
  }
  parts.push(`${text}]${behind}`);
  return parts;
}

const COMMA = 0x2c;

/**
 * Writes `before[item,item]behind` into one buffer. Each text is encoded once, into its place: joining the texts first
 * takes longer.
 * @param items JSON values.
 */
export function jsonList(before: string, items: readonly string[], behind: string): Buffer {
  const [open, close] = [`${before}[`, `]${behind}`];
  let size = Buffer.byteLength(open) + Buffer.byteLength(close) + Math.max(items.length - 1, 0);
  for (const item of items) size += Buffer.byteLength(item);
  const bytes = Buffer.allocUnsafe(size);
  let end = bytes.write(open);
  for (const [index, item] of items.entries()) {
    if (index > 0) bytes[end++] = COMMA;
    end += bytes.write(item, end);
  }
  bytes.write(close, end);
  return bytes;
}
