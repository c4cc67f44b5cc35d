// Telemetry of requests: durations by route, and one line in the log.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from '../../telemetry/metrics.ts';
import { ID, testServer } from '../rest-server.test-support.ts';
import { templateOf } from './request-telemetry.ts';

const READER = { authorization: 'Bearer reader' };

test('a line says who asked for what and what came of it, and nothing else', async () => {
  const { app, lines } = testServer();
  await app.inject({ url: `/v1/indicators/${ID}?q=hidden`, headers: { ...READER, 'x-request-id': 'r-1' } });
  const [line] = lines.map((text) => JSON.parse(text));
  const { time, durationMs, ...rest } = line;
  assert.deepEqual(rest, {
    level: 30,
    reqId: 'r-1',
    method: 'GET',
    route: '/v1/indicators/{id}',
    status: 400,
    keyId: 'k1',
    address: '127.0.0.1',
    msg: 'request',
  });
  assert.ok(typeof time === 'number' && durationMs >= 0);
});

test('a stranger has no key, an unknown path no route, a method of nobody no name of its own', async () => {
  const metrics = new Metrics();
  const { app, lines } = testServer({ metrics });
  await app.inject({ url: `/v1/indicators/${ID}`, headers: { authorization: 'Bearer nobody' } });
  await app.inject({ url: `/v1/secret/${ID}` });
  await app.inject({ method: 'PROPFIND' as 'GET', url: '/openapi.json' });
  const said = lines
    .map((text) => JSON.parse(text))
    .map(({ keyId, route, status }) => ({ keyId, route, status }));
  assert.deepEqual(said, [
    { keyId: undefined, route: '/v1/indicators/{id}', status: 401 },
    { keyId: undefined, route: '', status: 404 },
    { keyId: undefined, route: '', status: 405 },
  ]);
  assert.doesNotMatch(lines.join(''), /secret|nobody/);
  const text = await metrics.text();
  assert.match(
    text,
    /_count\{http_request_method="_OTHER",http_route="",http_response_status_code="405"\} 1\n/,
  );
});

test('durations are counted by method, template and status', async () => {
  const metrics = new Metrics();
  const { app } = testServer({ metrics });
  for (const id of [ID, ID, 'unknown']) await app.inject({ url: `/v1/indicators/${id}`, headers: READER });
  await app.inject({
    method: 'POST',
    url: `/v1/indicators/${ID}:verify`,
    headers: { authorization: 'Bearer analyst' },
  });
  const counts = (await metrics.text()).match(/^http_server_request_duration_seconds_count.*$/gm);
  const series = (method: string, route: string, status: number, count: number) =>
    `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"} ${count}`;
  assert.deepEqual(counts, [
    series('GET', '/v1/indicators/{id}', 200, 2),
    series('GET', '/v1/indicators/{id}', 404, 1),
    series('POST', '/v1/indicators/{id}:verify', 200, 1),
  ]);
});

test('templates are those of the contract', () => {
  assert.equal(templateOf('/v1/indicators/:id(^[^:]+$)'), '/v1/indicators/{id}');
  assert.equal(templateOf('/v1/indicators/:id(^[^:]+)::verify'), '/v1/indicators/{id}:verify');
  assert.equal(templateOf('/v1/sensorEvents::ingest'), '/v1/sensorEvents:ingest');
  assert.equal(
    templateOf('/taxii2/collections/:collectionId/objects/'),
    '/taxii2/collections/{collectionId}/objects/',
  );
});
