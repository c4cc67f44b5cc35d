// The answers to probes, and to requests while the service stops.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Readiness } from '../../telemetry/readiness.ts';
import { ID, testServer } from '../rest-server.test-support.ts';
import { registerHealth } from './health.ts';

const READY: Readiness = {
  status: 'ready',
  backlogAgeSeconds: 1.5,
  backlogWithinLimit: true,
  storeReadable: true,
  storeWritable: true,
  storeIntact: true,
  pipelineAlive: true,
  clock: 'steady',
};

function server(state: Readiness, stopping = new AbortController().signal) {
  return testServer({ stopping, plugins: [(app) => registerHealth(app, async () => state)] });
}

test('alive and ready need no credential, and leave no line in the log', async () => {
  const { app, lines } = server(READY);
  const alive = await app.inject({ url: '/livez' });
  assert.deepEqual([alive.statusCode, alive.body], [200, '{"status":"alive"}']);
  const ready = await app.inject({ url: '/readyz' });
  assert.deepEqual([ready.statusCode, ready.json()], [200, READY]);
  for (const { headers } of [alive, ready]) {
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal('server' in headers, false);
  }
  assert.equal((await app.inject({ method: 'HEAD', url: '/readyz' })).statusCode, 200);
  assert.deepEqual(lines, []);
});

test('unready is 503, and says what is missing; the process is alive all the same', async () => {
  const state: Readiness = { ...READY, status: 'unready', storeWritable: false };
  const { app } = server(state);
  const ready = await app.inject({ url: '/readyz' });
  assert.deepEqual([ready.statusCode, ready.json()], [503, state]);
  assert.equal((await app.inject({ url: '/livez' })).statusCode, 200);
});

test('other methods are refused as everywhere', async () => {
  const response = await server(READY).app.inject({ method: 'POST', url: '/readyz' });
  assert.equal(response.statusCode, 405);
  assert.equal(response.headers.allow, 'GET, HEAD');
});

test('a service that stops refuses everything but the question how it is, and hangs up', async () => {
  const { app, asked } = server({ ...READY, status: 'stopping' }, AbortSignal.abort());
  for (const url of ['/v1/indicators/search', '/nothing', `/v1/indicators/${ID}`]) {
    const response = await app.inject({ method: 'POST', url, headers: { authorization: 'Bearer reader' } });
    assert.equal(response.statusCode, 503);
    assert.equal(response.json().code, 14);
    assert.equal(response.json().details[0].reason, 'STOPPING');
    assert.equal(response.headers['retry-after'], '1');
    assert.equal(response.headers.connection, 'close');
  }
  assert.deepEqual(asked.searches, []);
  const ready = await app.inject({ url: '/readyz' });
  assert.deepEqual(
    [ready.statusCode, ready.json().status, ready.headers.connection],
    [503, 'stopping', 'close'],
  );
});
