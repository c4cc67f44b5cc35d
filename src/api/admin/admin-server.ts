// The admin port: what is for operators and their machines on this host, and for nobody else. Listens on loopback only.

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { Admit } from '../../gateway/admit.ts';
import { METRICS_MEDIA_TYPE, type Metrics } from '../../telemetry/metrics.ts';
import { answerBrokenRequest } from '../http/broken-request.ts';
import { sendRestError } from '../rest/rest-errors.ts';
import { registerExternalAuthorization } from './external-authorization.ts';

export interface AdminDependencies {
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  readonly admit: Admit;
  /** Whether the X-Forwarded-For of this peer counts; nobody's by default. */
  readonly trustsProxy?: (address: string) => boolean;
}

/** Not listening yet. */
export function createAdminServer({ log, metrics, admit, trustsProxy }: AdminDependencies): FastifyInstance {
  const app = Fastify({
    http: { requireHostHeader: false },
    exposeHeadRoutes: false,
    frameworkErrors: sendRestError,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
    trustProxy: trustsProxy ?? false,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.removeAllContentTypeParsers();
  app.setErrorHandler(sendRestError);
  app.setNotFoundHandler((request, reply) =>
    sendRestError(
      new ServiceError('not_found', 'no such path', { reason: 'PATH_NOT_FOUND' }),
      request,
      reply,
    ),
  );
  app.get('/metrics', async (_request, reply) =>
    reply
      .header('content-type', METRICS_MEDIA_TYPE)
      .header('cache-control', 'no-store')
      .send(await metrics.text()),
  );
  registerExternalAuthorization(app, admit);
  return app;
}
