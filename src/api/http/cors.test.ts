// Cross-origin requests, as a browser makes them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ID, testServer } from '../rest-server.test-support.ts';

const PAGE = 'https://soc.example.org';
const GET = `/v1/indicators/${ID}`;

const preflight = (origin: string, url = GET) => ({
  method: 'OPTIONS' as const,
  url,
  headers: {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  },
});
const server = (...corsOrigins: string[]) => testServer({ corsOrigins }).app;
const corsHeaders = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

test('without configured origins nothing is said about any', async () => {
  for (const app of [server(), testServer().app]) {
    const refused = await app.inject(preflight(PAGE));
    assert.equal(refused.statusCode, 405);
    for (const { headers } of [refused, await app.inject({ url: GET, headers: { origin: PAGE } })]) {
      assert.deepEqual(corsHeaders(headers), []);
      assert.equal(headers.vary, undefined);
    }
  }
});

test('a preflight is answered before any credential is asked for', async () => {
  const response = await server('http://localhost:5173', PAGE).inject(preflight(PAGE));
  assert.equal(response.statusCode, 204);
  assert.equal(response.body, '');
  assert.equal(response.headers['access-control-allow-origin'], PAGE);
  assert.equal(response.headers['access-control-allow-methods'], 'GET');
  assert.equal(
    response.headers['access-control-allow-headers'],
    'Authorization, Content-Type, Accept, Last-Event-ID',
  );
  assert.equal(response.headers.vary, 'Origin');
  assert.equal('ratelimit' in response.headers, false);
});

test('a preflight names the methods of the path, and an unknown path has none', async () => {
  const search = await server(PAGE).inject(preflight(PAGE, '/v1/indicators/search?x=1'));
  assert.equal(search.headers['access-control-allow-methods'], 'POST');
  assert.equal((await server(PAGE).inject(preflight(PAGE, '/v1/elsewhere'))).statusCode, 404);
});

test('OPTIONS that is no preflight is a wrong method', async () => {
  const response = await server(PAGE).inject({ method: 'OPTIONS', url: GET, headers: { origin: PAGE } });
  assert.equal(response.statusCode, 405);
  assert.equal(response.headers['access-control-allow-origin'], PAGE);
});

test('every answer to a known page may be read by it, errors and limits included', async () => {
  for (const [token, status] of [
    ['reader', 200],
    ['nobody', 401],
    ['sensor', 403],
    ['busy', 429],
  ] as const) {
    const { statusCode, headers } = await server(PAGE).inject({
      url: GET,
      headers: { origin: PAGE, authorization: `Bearer ${token}` },
    });
    assert.equal(statusCode, status);
    assert.equal(headers['access-control-allow-origin'], PAGE);
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate']) {
      assert.ok(exposed.includes(name), name);
    }
    for (const name of ['X-TAXII-Date-Added-First', 'X-TAXII-Date-Added-Last'])
      assert.ok(exposed.includes(name));
    assert.equal('access-control-allow-credentials' in headers, false);
  }
});

test('origins are compared exactly; others learn nothing, but caches are told', async () => {
  for (const origin of [
    'https://soc.example.org.evil.example.net',
    'https://evil.example.net',
    'http://soc.example.org',
    'https://SOC.example.org',
    'https://soc.example.org:8443',
    'https://soc.example.org/',
    'https://x.soc.example.org',
    'null',
    '*',
  ]) {
    const headers = { origin, authorization: 'Bearer reader' };
    const response = await server(PAGE).inject({ url: GET, headers });
    assert.equal(response.statusCode, 200);
    assert.deepEqual(corsHeaders(response.headers), [], origin);
    assert.equal(response.headers.vary, 'Origin');
    const refused = await server(PAGE).inject(preflight(origin));
    assert.deepEqual([refused.statusCode, corsHeaders(refused.headers)], [405, []]);
  }
  const plain = await server(PAGE).inject({ url: GET, headers: { authorization: 'Bearer reader' } });
  assert.equal(plain.headers.vary, 'Origin');
});
