// The routes in the annotations of the contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndicatorService } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { SensorEventService } from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { fastifyPath, routesOf } from './routes.ts';

test('the routes of the contract', () => {
  const routes = new Map(
    [IndicatorService, SensorEventService]
      .flatMap((service) => routesOf(service))
      .map(({ operationId, method, template, variables, hasBody }) => [
        operationId,
        [`${method} ${template}`, variables, hasBody],
      ]),
  );
  const known: readonly (readonly [string, ...unknown[]])[] = [
    ['searchIndicators', 'POST /v1/indicators/search', [], true],
    ['getIndicator', 'GET /v1/indicators/{id}', ['id'], false],
    ['verifyIndicator', 'POST /v1/indicators/{id}:verify', ['id'], true],
    ['explainIndicator', 'GET /v1/indicators/{id}:explain', ['id'], false],
    ['ingestSensorEvents', 'POST /v1/sensorEvents:ingest', [], true],
  ];
  for (const [operationId, ...route] of known) assert.deepEqual(routes.get(operationId), route);
});

test('templates in the syntax of Fastify', () => {
  assert.equal(fastifyPath('/v1/indicators/search'), '/v1/indicators/search');
  assert.equal(fastifyPath('/v1/indicators/{id}'), '/v1/indicators/:id(^[^:]+$)');
  assert.equal(fastifyPath('/v1/indicators/{id}:verify'), '/v1/indicators/:id(^[^:]+)::verify');
  assert.equal(fastifyPath('/v1/sensorEvents:ingest'), '/v1/sensorEvents::ingest');
});
