// The REST interface: the services of the contract, each with its operations, and the OpenAPI document of all of them.

import type { FastifyInstance } from 'fastify';
import {
  ApiKeyService,
  IndicatorService,
  SensorEventService,
  UsageService,
} from '../../protojson/contract.ts';
import { openApiDocument } from '../../protojson/openapi.ts';
import { registerDocs } from '../docs/docs.ts';
import { sendJson } from '../http/json-reply.ts';
import { type ApiKeyDeps, apiKeyOperations } from './api-keys.ts';
import { type IndicatorDeps, indicatorOperations } from './indicators.ts';
import { type SensorEventDeps, sensorEventOperations } from './sensor-events.ts';
import { serve, type TranscoderDeps } from './transcoder.ts';
import { type UsageDeps, usageOperations } from './usage.ts';
import { registerWatch, type WatchDeps } from './watch.ts';

export type RestDeps = IndicatorDeps & SensorEventDeps & ApiKeyDeps & UsageDeps & WatchDeps & TranscoderDeps;

/** Adds every route of the contract, `/openapi.json` and `/docs`. */
export function registerRest(app: FastifyInstance, deps: RestDeps): void {
  serve(app, IndicatorService, indicatorOperations(deps), deps);
  app.register(async (scope) => registerWatch(scope, deps));
  serve(app, SensorEventService, sensorEventOperations(deps), deps);
  app.register(async (keys) => {
    // No cache may keep a new key or the list of keys.
    keys.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
    serve(keys, ApiKeyService, apiKeyOperations(deps), deps);
  });
  serve(app, UsageService, usageOperations(deps), deps);
  const services = [IndicatorService, SensorEventService, ApiKeyService, UsageService];
  const document = openApiDocument(services);
  // One buffer for all answers: text would be encoded again for each.
  const openApi = Buffer.from(JSON.stringify(document));
  app.get('/openapi.json', async (_request, reply) => sendJson(reply, openApi));
  registerDocs(app, document);
}
