// GET /docs: the contract for people. The page needs no credential, like the document that it shows.

import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { holdAnswer } from '../http/answer-room.ts';
import { docsPage } from './docs-page.ts';

const STYLE = readFileSync(new URL('style.css', import.meta.url));

/** The style sheet of this service, and nothing else: no script, no frame, no form, nothing inline. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds the page and its style sheet. @param document the OpenAPI document. */
export function registerDocs(app: FastifyInstance, document: object): void {
  let page: Buffer | undefined;
  app.get('/docs', async (_request, reply) => {
    page ??= Buffer.from(docsPage(document));
    return sendPart(reply, 'text/html; charset=utf-8', page);
  });
  app.get('/docs/style.css', async (_request, reply) => sendPart(reply, 'text/css; charset=utf-8', STYLE));
}

function sendPart(reply: FastifyReply, type: string, bytes: Buffer): FastifyReply {
  holdAnswer(reply, undefined, bytes.length);
  return reply
    .header('content-type', type)
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .send(bytes);
}
