// The admin port: metrics and the external authorization, for operators and their machines on this host. The service binds it
// to the loopback address only.
//
// A web page can make the browser of an operator connect to loopback: its host name first resolves to its own server, then to
// 127.0.0.1 (DNS rebinding). The browser still sends the host name, so a host that is not loopback is refused.

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Admit } from '../../gateway/admit.ts';
import { METRICS_MEDIA_TYPE, type Metrics } from '../../telemetry/metrics.ts';
import { routeNotFound } from '../http/allowed-methods.ts';
import { answerClientError } from '../http/client-error.ts';
import type { BoundConnections } from '../http/connections.ts';
import { HttpError } from '../http/errors.ts';
import { answerExpectContinue } from '../http/request-body.ts';
import { requireOneHost } from '../http/single-headers.ts';
import { WITHOUT_SCHEMAS } from '../http/without-schemas.ts';
import { REST_ERRORS } from '../rest/rest-errors.ts';
import { registerExternalAuthorization } from './external-authorization.ts';

export interface AdminDependencies {
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly admit: Admit;
  readonly boundConnections: BoundConnections;
  /** Whether the X-Forwarded-For of this peer counts. Default: of no peer. */
  readonly trustsProxy?: (address: string) => boolean;
}

/** A loopback name or address with an optional port. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** The server does not listen yet. */
export function createAdminServer({
  log,
  metrics,
  admit,
  boundConnections,
  trustsProxy,
}: AdminDependencies): FastifyInstance {
  const app = Fastify({
    ...WITHOUT_SCHEMAS,
    http: { requireHostHeader: false },
    exposeHeadRoutes: false,
    frameworkErrors: REST_ERRORS.send,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, REST_ERRORS.body),
    trustProxy: trustsProxy ?? false,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  });
  boundConnections(app.server);
  answerExpectContinue(app);
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', async ({ raw }) => {
    requireOneHost(raw);
    requireLoopbackHost(raw.headers.host);
  });
  app.setErrorHandler(REST_ERRORS.send);
  app.setNotFoundHandler((request, reply) => REST_ERRORS.send(routeNotFound([], reply), request, reply));
  app.get('/metrics', async (_request, reply) =>
    reply
      .header('content-type', METRICS_MEDIA_TYPE)
      .header('cache-control', 'no-store')
      .send(await metrics.text()),
  );
  registerExternalAuthorization(app, admit);
  return app;
}

/** A client of HTTP/1.0 may leave the host out. No browser does. @throws HttpError 421 (RFC 9110 §15.5.20). */
function requireLoopbackHost(host: string | undefined): void {
  if (host === undefined || LOOPBACK_HOST.test(host)) return;
  const message = 'the admin port answers only under localhost or a loopback address such as 127.0.0.1';
  throw new HttpError(421, 'failed_precondition', message, 'HOST_NOT_LOOPBACK');
}
