// `/livez` and `/readyz`, for supervisors and load balancers. They are public, so they show no version and no host name.

import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../../telemetry/readiness.ts';
import { sendJson } from './json-reply.ts';

export const HEALTH_PATHS: readonly string[] = ['/livez', '/readyz'];

/** @param readiness is called for each request. */
export function registerHealth(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
  // Probes come every second, so only failures are logged.
  const route = { method: ['GET', 'HEAD'], logLevel: 'warn' as const };
  app.route({
    ...route,
    url: '/livez',
    // An answer of any kind proves that the process is alive.
    handler: async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return sendJson(reply, '{"status":"alive"}');
    },
  });
  app.route({
    ...route,
    url: '/readyz',
    handler: async (_request, reply) => {
      const state = await readiness();
      reply.code(state.status === 'ready' ? 200 : 503).header('cache-control', 'no-store');
      return sendJson(reply, JSON.stringify(state));
    },
  });
}
