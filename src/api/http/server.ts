// The HTTP server: a Fastify instance that answers every input itself, however broken. It knows no interface: routes come
// in as plugins, the forms of errors as values.

import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer as createProbe } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { collectAllowedMethods, routeNotFound } from './allowed-methods.ts';
import { boundAnswers } from './answer-room.ts';
import { type BodyBounds, reserveBodies } from './body-reader.ts';
import { answerClientError } from './client-error.ts';
import { noteConnections } from './close-gracefully.ts';
import type { BoundConnections } from './connections.ts';
import { corsHook } from './cors.ts';
import type { ErrorFormat } from './errors.ts';
import { HEALTH_PATHS } from './health.ts';
import { answerExpectContinue, drainRefusedBodies } from './request-body.ts';
import { RequestTelemetry, requestDurations } from './request-telemetry.ts';
import type { Room } from './room.ts';
import { requireOneHost } from './single-headers.ts';
import { type TlsIdentity, transport } from './transport.ts';
import { WITHOUT_SCHEMAS } from './without-schemas.ts';

export interface ServerOptions {
  readonly log: FastifyBaseLogger;
  /** Gets the durations of requests. */
  readonly metrics: Metrics;
  readonly boundConnections: BoundConnections;
  /** Default: plain HTTP. */
  readonly tls?: TlsIdentity | undefined;
  /** Milliseconds. Default: 5 seconds. */
  readonly handshakeTimeout?: number;
  readonly bodies: BodyBounds;
  /** Room for answers that clients have not accepted yet. */
  readonly answers: Room;
  /** Aborted when the service stops: from then on requests are refused. */
  readonly stopping?: AbortSignal;
  /** Whether the X-Forwarded-For of this peer counts. Default: of no peer. */
  readonly trustsProxy?: (address: string) => boolean;
  /** Origins whose pages may call. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** The interfaces. Each plugin adds its routes in a scope of its own. */
  readonly plugins: readonly ((app: FastifyInstance) => void)[];
  /** For every path that `errorFormats` does not cover. */
  readonly errorFormat: ErrorFormat;
  /** By path prefix without a slash at the end; it covers the path itself and everything below. */
  readonly errorFormats?: Readonly<Record<string, ErrorFormat>>;
}

/** Bytes of all header lines together; this bounds the path too. */
const MAX_HEADER_SIZE = 16_384;
/** For a whole request: long enough for 8 MiB over a slow line, short enough to end connections that only wait. */
const REQUEST_TIMEOUT_MS = 60_000;
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** The server does not listen yet. Closing it answers the requests it has accepted. */
export function createServer(options: ServerOptions): FastifyInstance {
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    formatFor(options, pathOf(request)).send(error, request, reply);
  const app = Fastify({
    ...WITHOUT_SCHEMAS,
    ...transport(
      { maxHeaderSize: MAX_HEADER_SIZE, requireHostHeader: false },
      options.tls,
      options.handshakeTimeout,
    ),
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_HEADER_SIZE },
    exposeHeadRoutes: false,
    // Fastify's answer has a form of its own (see refuseWhileStopping).
    return503OnClosing: false,
    rewriteUrl: ({ url }) => originForm(url ?? '/'),
    frameworkErrors: sendError,
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, (fault, path) => formatFor(options, path).body(fault)),
    trustProxy: options.trustsProxy ?? false,
    loggerInstance: options.log,
    logController: new RequestTelemetry(requestDurations(options.metrics)),
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
  });
  noteConnections(app.server);
  options.boundConnections(app.server);
  // A route that reads bodies adds its own parser, so bodies sent to unknown paths are not read.
  app.removeAllContentTypeParsers();
  boundAnswers(app, options.answers);
  reserveBodies(app, options.bodies);
  answerExpectContinue(app);
  drainRefusedBodies(app);
  const allowedMethods = collectAllowedMethods(app);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (options.stopping?.aborted === true) refuseWhileStopping(request, reply);
    requireOneHost(request.raw);
    // An unknown path is 404, also when the type of the body is missing or malformed.
    if (request.is404) request.raw.headers['content-type'] = 'application/octet-stream';
    done();
  });
  const { corsOrigins = [] } = options;
  if (corsOrigins.length > 0) app.addHook('onRequest', corsHook(corsOrigins, allowedMethods));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    sendError(routeNotFound(allowedMethods(pathOf(request)), reply), request, reply),
  );
  for (const plugin of options.plugins) app.register(async (scope) => plugin(scope));
  return app;
}

/** Whether a server has its port alone, or is the first or a further one of several threads on it. */
export type Sharing = 'alone' | 'first' | 'further';

/**
 * Listens on one address. For the name `localhost` Fastify would make a second server for the other address family, and
 * nothing that was added to `app.server` would hold there.
 */
export async function listenOn(
  app: FastifyInstance,
  host: string,
  port: number,
  sharing: Sharing = 'alone',
): Promise<void> {
  const { address } = host === 'localhost' ? await lookup(host, { order: 'ipv4first' }) : { address: host };
  if (sharing === 'first') await requireFree(address, port);
  const options = { host: address, port, reusePort: sharing !== 'alone' };
  await app.listen(options);
}

/** Fails as listening does. Two services of one user could share a port, and each would get a part of the requests. */
async function requireFree(host: string, port: number): Promise<void> {
  const probe = createProbe().listen({ host, port });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

/** A request over a connection that is still open belongs to another node. Health checks are still answered. */
function refuseWhileStopping(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  if (HEALTH_PATHS.includes(pathOf(request))) return;
  throw new ServiceError('unavailable', 'the service is stopping', {
    reason: 'STOPPING',
    retryAfterMs: 1_000,
  });
}

function formatFor({ errorFormat, errorFormats = {} }: ServerOptions, path: string): ErrorFormat {
  for (const [prefix, format] of Object.entries(errorFormats)) {
    if (path === prefix || path.startsWith(`${prefix}/`)) return format;
  }
  return errorFormat;
}

/** The path of a target in absolute form (RFC 9112 §3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function pathOf({ url }: FastifyRequest): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** The caller's own id is kept if it is safe to log. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
