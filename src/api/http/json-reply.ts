// JSON answers: `application/json` without a parameter, as a Protobuf gateway sends it, and lists of stored JSON texts.

import type { FastifyReply } from 'fastify';
import { findCaller } from './admission.ts';
import { holdAnswer } from './answer-room.ts';
import { joinParts, type Parts, sendParts } from './raw-answer.ts';

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

/** The same as one buffer. */
export function jsonList(before: string, items: Parts, behind: string): Buffer {
  return joinParts(jsonParts(before, items, behind));
}
