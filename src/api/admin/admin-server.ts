// The admin port: metrics and the external authorization, for operators and their machines on this host. The service binds it
// to the loopback address only.

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Admit } from '../../gateway/admit.ts';
import { METRICS_MEDIA_TYPE, type Metrics } from '../../telemetry/metrics.ts';
import { routeNotFound } from '../http/allowed-methods.ts';
import { answerClientError } from '../http/client-error.ts';
import { REST_ERRORS } from '../rest/rest-errors.ts';
import { registerExternalAuthorization } from './external-authorization.ts';

export interface AdminDependencies {
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly admit: Admit;
  /** Whether the X-Forwarded-For of this peer counts. Default: of no peer. */
  readonly trustsProxy?: (address: string) => boolean;
}

/** The server does not listen yet. */
export function createAdminServer({ log, metrics, admit, trustsProxy }: AdminDependencies): FastifyInstance {
  const app = Fastify({
    http: { requireHostHeader: false },
    exposeHeadRoutes: false,
    frameworkErrors: REST_ERRORS.send,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, REST_ERRORS.body),
    trustProxy: trustsProxy ?? false,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.removeAllContentTypeParsers();
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
