// `/livez` and `/readyz`: for whoever starts, restarts and sends traffic to the service. Public, so they tell nothing of
// versions or hosts.

import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../../telemetry/readiness.ts';
import { sendJson } from './json-reply.ts';

export const HEALTH_PATHS: readonly string[] = ['/livez', '/readyz'];

/** @param readiness asked for each request. */
export function registerHealth(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
  // Probes come every second: only their faults are worth a line.
  const route = { method: ['GET', 'HEAD'], logLevel: 'warn' as const };
  app.route({
    ...route,
    url: '/livez',
    // That the process answers is the answer.
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
