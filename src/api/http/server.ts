// The HTTP server: a Fastify instance in which no input, however broken, is answered by anybody but us.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import {
  ApiKeyService,
  IndicatorService,
  SensorEventService,
  UsageService,
} from '../../protojson/contract.ts';
import { openApiDocument } from '../../protojson/openapi.ts';
import { apiKeyOperations } from '../rest/api-keys.ts';
import { indicatorOperations, sensorEventOperations } from '../rest/rest.ts';
import { HttpError, sendRestError } from '../rest/rest-errors.ts';
import { serve } from '../rest/transcoder.ts';
import { usageOperations } from '../rest/usage.ts';
import { watchRoutes } from './allowed-methods.ts';
import { answerBrokenRequest, restErrorBody } from './broken-request.ts';
import { corsHook } from './cors.ts';
import type { ForeignErrors, ServerDependencies } from './dependencies.ts';
import { meetExpectations } from './expectation.ts';
import { HEALTH_PATHS } from './health.ts';
import { sendJson } from './json-reply.ts';
import { readRefusedBodies } from './refused-body.ts';
import { RequestTelemetry, requestDurations } from './request-telemetry.ts';

/** All header lines together; with it the path is bounded too. */
const MAX_HEADER_SIZE = 16_384;
/** For a whole request: long enough for 8 MiB over a slow line, short enough against connections that only wait. */
const REQUEST_TIMEOUT_MS = 60_000;
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** The whole contract; what beside it has no Protobuf form comes in as plugins. */
const SERVICES = [IndicatorService, SensorEventService, ApiKeyService, UsageService];

/** Not listening yet. Closing it answers what has been accepted. */
export function createServer(deps: ServerDependencies): FastifyInstance {
  const sendError = errorWriter(deps);
  const app = Fastify({
    http: { maxHeaderSize: MAX_HEADER_SIZE, requireHostHeader: false },
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_HEADER_SIZE },
    exposeHeadRoutes: false,
    // Its answer would not be ours (see refuseWhileStopping).
    return503OnClosing: false,
    rewriteUrl: ({ url }) => originForm(url ?? '/'),
    frameworkErrors: sendError,
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(error, socket, (fault, path) =>
        (foreignTo(deps, path)?.describe ?? restErrorBody)(fault),
      ),
    trustProxy: deps.trustsProxy ?? false,
    loggerInstance: deps.log,
    logController: new RequestTelemetry(requestDurations(deps.metrics)),
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
  });
  // Nothing is parsed that no route asked for: bodies sent to unknown paths are not read.
  app.removeAllContentTypeParsers();
  meetExpectations(app);
  readRefusedBodies(app);
  const allowedMethods = watchRoutes(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (deps.stopping?.aborted === true) refuseWhileStopping(request, reply);
    requireOneHost(request.raw);
    const { headers } = request.raw;
    // The type of a body nobody asked for may be missing or malformed too; that must not come before the 404.
    if (request.is404) headers['content-type'] = 'application/octet-stream';
  });
  const { corsOrigins = [] } = deps;
  if (corsOrigins.length > 0) app.addHook('onRequest', corsHook(corsOrigins, allowedMethods));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(pathOf(request));
    if (allowed.length === 0) {
      return sendError(
        new ServiceError('not_found', 'no such path', { reason: 'PATH_NOT_FOUND' }),
        request,
        reply,
      );
    }
    reply.header('allow', allowed.join(', '));
    return sendError(
      new HttpError(405, 'unimplemented', 'the path does not know this method', 'METHOD_NOT_ALLOWED'),
      request,
      reply,
    );
  });

  serve(app, IndicatorService, indicatorOperations(deps), deps.admit);
  serve(app, SensorEventService, sensorEventOperations(deps), deps.admit);
  serve(app, ApiKeyService, apiKeyOperations(deps), deps.admit);
  serve(app, UsageService, usageOperations(deps), deps.admit);
  const openApi = JSON.stringify(openApiDocument(SERVICES));
  app.get('/openapi.json', async (_request, reply) => sendJson(reply, openApi));
  for (const plugin of deps.plugins ?? []) app.register(async (scope) => plugin(scope));
  return app;
}

/** What comes over a connection that is still open goes elsewhere; whoever asks for the state is told. */
function refuseWhileStopping(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  if (HEALTH_PATHS.includes(pathOf(request))) return;
  throw new ServiceError('unavailable', 'the service is stopping', {
    reason: 'STOPPING',
    retryAfterMs: 1_000,
  });
}

/** RFC 9112 §3.2. Node's own check is off, as it answers without a body; of several hosts it would take the first. */
function requireOneHost({ headers, httpVersion, rawHeaders }: IncomingMessage): void {
  if (headers.host === undefined) {
    if (httpVersion !== '1.1') return;
    throw new HttpError(400, 'invalid_argument', 'the Host header is missing', 'MISSING_HOST');
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) throw new HttpError(400, 'invalid_argument', 'there are two Host headers', 'REPEATED_HOST');
}

/** Errors in the form of the interface that the path belongs to. */
function errorWriter(deps: ServerDependencies) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const foreign = foreignTo(deps, pathOf(request));
    if (foreign !== undefined) foreign.write(error, reply);
    else sendRestError(error, request, reply);
  };
}

function foreignTo({ foreignErrors = [] }: ServerDependencies, path: string): ForeignErrors | undefined {
  return foreignErrors.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
}

/** A target may be given as a whole address (RFC 9112 §3.2.2): from here on there are paths only. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function pathOf({ url }: FastifyRequest): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** A caller's own id is kept where it is harmless to log. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
