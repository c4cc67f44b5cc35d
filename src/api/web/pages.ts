// The pages of the web application: its built files below /app. The page itself needs no credential; its data do.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { holdAnswer } from '../http/answer-room.ts';
import type { PageFile, PageFiles } from './page-files.ts';

/** Only files of this service, nothing inline, and no text that becomes script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  vary: 'Accept-Encoding',
};

/** Files below assets/ have the hash of their content in their name. */
const YEAR = 'public, max-age=31536000, immutable';

export function registerPages(app: FastifyInstance, files: PageFiles): void {
  app.get('/', async (request, reply) => {
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) throw unknownPath();
    return reply.header('vary', 'Accept').redirect('/app/', 302);
  });
  app.get('/app', async (_request, reply) => reply.redirect('/app/', 302));
  app.get<{ Params: { '*': string } }>('/app/assets/*', async (request, reply) => {
    const file = await files.find(`assets/${request.params['*']}`);
    if (file === undefined) throw unknownPath();
    return sendFile(request, reply.header('cache-control', YEAR), file);
  });
  // More exact routes below /app/data come before this one; what they do not know is no page.
  app.get('/app/data/*', async () => {
    throw unknownPath();
  });
  app.get('/app/*', async (request, reply) => {
    const page = await files.find('index.html');
    if (page !== undefined) return sendFile(request, reply.header('cache-control', 'no-cache'), page);
    throw new ServiceError('unavailable', 'the web application is not built; run npm run web:build', {
      reason: 'WEB_APPLICATION_NOT_BUILT',
    });
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, codings }: PageFile): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? '';
  const coding = (['br', 'gzip'] as const).find((name) => accepts(accepted, name) && codings.has(name));
  const form = codings.get(coding ?? 'identity');
  if (form === undefined) throw unknownPath();
  reply.headers(HEADERS).header('etag', form.tag);
  if (request.headers['if-none-match'] === form.tag) return reply.code(304).send();
  if (coding !== undefined) reply.header('content-encoding', coding);
  holdAnswer(reply, undefined, form.bytes.length);
  return reply.header('content-type', type).send(form.bytes);
}

/** Whether a list of codings (RFC 9110 §12.5.3) names this one without the weight 0. */
function accepts(list: string, coding: string): boolean {
  return list.split(',').some((item) => {
    const [name = '', weight = ''] = item.split(';', 2).map((part) => part.trim());
    return name === coding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}

function unknownPath(): ServiceError {
  return new ServiceError('not_found', 'no such path', { reason: 'PATH_NOT_FOUND' });
}
