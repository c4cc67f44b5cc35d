// The whole HTTP server: it answers every input itself.

import assert from 'node:assert/strict';
import dns from 'node:dns';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { DOCUMENT, ID, testServer } from '../rest-server.test-support.ts';
import { listenOn } from './server.ts';

const SEARCH = '/v1/indicators/search';
const AUTHORIZATION = { authorization: 'Bearer reader' };

function assertStatus(response: LightMyRequestResponse, status: number, code: number, reason: string): void {
  assert.equal(response.statusCode, status, response.body);
  assert.equal(response.headers['content-type'], 'application/json');
  const body = response.json();
  assert.equal(body.code, code);
  assert.equal(body.details[0].reason, reason);
  assert.equal(response.headers['x-content-type-options'], 'nosniff');
}

test('unknown paths', async () => {
  const { app } = testServer();
  const paths = [
    '/',
    '/v1',
    '/v1/indicators',
    '/v1/indicators/',
    `/v1/indicators/${ID}/`,
    `${SEARCH}/`,
    '//v1/indicators/x',
    '/V1/indicators/x',
    `/v1/indicators/${ID}:zap`,
    '/v1/indicators/a:b:verify',
    '/v1/indicators/:verify',
    '/v1/sensorEvents',
    '/v1/sensorEvents:other',
    '/v1/sensorEvents%3Aingest',
    '/v1/indicators/a/b',
    '/favicon.ico',
    '/.env',
    '/v1/indicators/x;y/z',
    '/openapi.json/',
  ];
  for (const url of paths) {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      assertStatus(await app.inject({ method, url, headers: AUTHORIZATION }), 404, 5, 'PATH_NOT_FOUND');
    }
  }
});

test('wrong methods', async () => {
  const { app } = testServer();
  const table: readonly [method: InjectOptions['method'], url: string, allow: string][] = [
    ['PUT', SEARCH, 'POST'],
    ['DELETE', SEARCH, 'POST'],
    ['OPTIONS', SEARCH, 'POST'],
    ['PATCH', `${SEARCH}?x=1`, 'POST'],
    ['POST', `/v1/indicators/${ID}`, 'GET'],
    ['HEAD', `/v1/indicators/${ID}`, 'GET'],
    ['OPTIONS', `/v1/indicators/${ID}`, 'GET'],
    ['GET', `/v1/indicators/${ID}:verify`, 'POST'],
    ['POST', `/v1/indicators/${ID}:explain`, 'GET'],
    ['GET', '/v1/sensorEvents:ingest', 'POST'],
    ['POST', '/openapi.json', 'GET'],
    ['TRACE', SEARCH, 'POST'],
    ['PROPFIND' as 'GET', SEARCH, 'POST'],
    ['QUERY' as 'GET', SEARCH, 'POST'],
  ];
  for (const [method, url, allow] of table) {
    const response = await app.inject({ method: method as 'GET', url });
    assert.equal(response.statusCode, 405, `${method} ${url}`);
    assert.equal(response.headers.allow, allow, `${method} ${url}`);
    if (method !== 'HEAD') assertStatus(response, 405, 12, 'METHOD_NOT_ALLOWED');
  }
});

test('the literal path is not an indicator, but GET of it is a look-up of one', async () => {
  const { app } = testServer();
  assertStatus(await app.inject({ url: SEARCH, headers: AUTHORIZATION }), 404, 5, 'INDICATOR_NOT_FOUND');
});

test('the type of a body is not looked at', async () => {
  const { app } = testServer();
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    ';;;',
    '',
    'é',
    'a/b/c',
    'multipart/form-data',
    'application/grpc',
  ];
  for (const type of types) {
    const headers = { ...AUTHORIZATION, 'content-type': type, accept: 'text/html' };
    const response = await app.inject({ method: 'POST', url: SEARCH, headers, payload: '{"pageSize":1}' });
    assert.equal(response.statusCode, 200, type);
    assertStatus(
      await app.inject({ method: 'POST', url: '/x', headers, payload: '{' }),
      404,
      5,
      'PATH_NOT_FOUND',
    );
  }
});

test('bodies beyond the limit', async () => {
  const { app } = testServer();
  const post = (url: string, size: number, token: string) =>
    app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${token}` },
      payload: '{}'.padEnd(size),
    });
  assert.equal((await post(SEARCH, 1_048_576, 'reader')).statusCode, 200);
  assertStatus(await post(SEARCH, 1_048_577, 'reader'), 413, 3, 'BODY_TOO_LARGE');
  const ingest = '/v1/sensorEvents:ingest';
  assertStatus(await post(ingest, 8_388_608, 'writer'), 400, 3, 'INVALID_ARGUMENT');
  assertStatus(await post(ingest, 8_388_609, 'writer'), 413, 3, 'BODY_TOO_LARGE');
  // The body of a request for an unknown path is not read.
  assertStatus(await post('/x', 2_000_000, 'reader'), 404, 5, 'PATH_NOT_FOUND');
});

test('broken escapes in the path', async () => {
  const { app } = testServer();
  for (const url of ['/v1/indicators/%zz', '/v1/indicators/%ff', '/%', '/v1/indicators/%c3', '/v1/%zz?x=1']) {
    assertStatus(await app.inject({ url, headers: AUTHORIZATION }), 400, 3, 'MALFORMED_PATH');
  }
  assertStatus(
    await app.inject({ url: `/v1/indicators/${ID}?x=%zz`, headers: AUTHORIZATION }),
    400,
    3,
    'MALFORMED_QUERY',
  );
});

test('every answer has a request id: the caller’s own where it is harmless', async () => {
  const { app } = testServer();
  const idFor = async (given?: string) => {
    const headers = given === undefined ? {} : { 'x-request-id': given };
    return (await app.inject({ url: '/x', headers })).headers['x-request-id'];
  };
  assert.equal(await idFor('trace-1.a_B'), 'trace-1.a_B');
  for (const given of [undefined, '', 'a b', '"', 'x'.repeat(65)])
    assert.match(String(await idFor(given)), /^[0-9a-f-]{36}$/);
});

test('the OpenAPI document is public', async () => {
  const { app } = testServer();
  const response = await app.inject('/openapi.json');
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], 'application/json');
  assert.equal(response.json().openapi, '3.1.0');
});

test('a plugin has routes of its own, and paths may have errors of their own', async () => {
  const { app } = testServer({
    plugins: [
      (scope) => {
        scope.get('/other/thing', async () => {
          throw new Error('boom');
        });
      },
    ],
    errorFormats: {
      '/other': {
        send: (error, _request, reply) =>
          reply
            .code(418)
            .type('text/plain')
            .send(`other: ${(error as { code: string }).code}`),
        body: () => ({ contentType: 'text/plain', body: 'other' }),
      },
    },
  });
  for (const url of ['/other', '/other/', '/other/thing', '/other/%zz', '/other?x']) {
    const response = await app.inject(url);
    assert.equal(response.statusCode, 418, url);
    assert.match(response.body, /^other: /);
  }
  assert.equal((await app.inject({ method: 'POST', url: '/other/thing' })).headers.allow, 'GET');
  assertStatus(await app.inject('/otherwise'), 404, 5, 'PATH_NOT_FOUND');
});

test('the address of a caller is the proxy’s word only where the proxy is trusted', async () => {
  const addresses: string[] = [];
  const admit = async (_headers: unknown, address: string): Promise<never> => {
    addresses.push(address);
    throw new Error('enough');
  };
  const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.5' };
  const get = (...trusted: string[]) =>
    testServer({
      admit,
      ...(trusted.length === 0 ? {} : { trustsProxy: (peer) => trusted.includes(peer) }),
    }).app.inject({
      url: `/v1/indicators/${ID}`,
      headers,
    });
  await get();
  await get('203.0.113.5');
  await get('127.0.0.1');
  await get('127.0.0.1', '203.0.113.5');
  assert.deepEqual(addresses, ['127.0.0.1', '127.0.0.1', '203.0.113.5', '198.51.100.7']);
});

// Requests that inject cannot send go over a socket.
let listening: FastifyInstance;
let port = 0;
before(async () => {
  listening = testServer().app;
  await listening.listen({ host: '127.0.0.1', port: 0 });
  port = (listening.server.address() as AddressInfo).port;
});
after(() => listening.close());

/** Everything the server sends until it closes the connection. */
function exchange(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    // The server closes while bytes are under way, so the connection is reset after the answer.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(answer));
  });
}

async function assertRaw(request: string, status: number, reason: string): Promise<void> {
  const answer = await exchange(request);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), answer);
  assert.match(head, /content-type: application\/json\r\n/i);
  assert.equal(JSON.parse(body).details[0].reason, reason, request.slice(0, 40));
}

test('what is not HTTP is answered in JSON all the same', async () => {
  await assertRaw('garbage\r\n\r\n', 400, 'MALFORMED_REQUEST');
  await assertRaw('GET / HTTP/9.9\r\n\r\n', 400, 'MALFORMED_REQUEST');
  await assertRaw('\u0016\u0003\u0001\u0000\u0000', 400, 'MALFORMED_REQUEST');
  await assertRaw('GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n', 400, 'MALFORMED_REQUEST');
  await assertRaw(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'MALFORMED_REQUEST',
  );
  await assertRaw('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400, 'MALFORMED_REQUEST');
});

test('headers beyond the limit', async () => {
  await assertRaw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE');
  await assertRaw(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'HEADERS_TOO_LARGE');
});

test('a request without Host', async () => {
  await assertRaw('GET /x HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'MISSING_HOST');
  await assertRaw('GET /x HTTP/1.0\r\n\r\n', 404, 'PATH_NOT_FOUND');
});

test('a request with two hosts (RFC 9112 §3.2)', async () => {
  for (const version of ['1.0', '1.1']) {
    for (const other of ['y', 'x']) {
      const head = `GET /v1/indicators/${ID} HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer reader\r\n`;
      await assertRaw(`${head}HOST: ${other}\r\nConnection: close\r\n\r\n`, 400, 'REPEATED_HOST');
    }
  }
});

test('100 Continue comes once the body is wanted (RFC 9110 §10.1.1)', async () => {
  const head = (length: number, token: string, path = SEARCH) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
  await assertRaw(head(1_048_577, 'reader'), 413, 'BODY_TOO_LARGE');
  await assertRaw(head(2, 'nobody'), 401, 'CREDENTIAL_INVALID');
  await assertRaw(head(2, 'writer'), 403, 'INSUFFICIENT_SCOPE');
  await assertRaw(head(2, 'reader', '/nowhere'), 404, 'PATH_NOT_FOUND');
  await assertRaw(head(2, 'reader', `/v1/indicators/${ID}`), 405, 'METHOD_NOT_ALLOWED');

  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8');
  socket.write(head(2, 'reader'));
  const [interim] = await once(socket, 'data');
  assert.equal(interim, 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{}');
  const [answer] = await once(socket, 'data');
  assert.match(answer, /^HTTP\/1.1 200 /);
  socket.destroy();
});

test('an expectation is not met and not refused', async () => {
  const request = (expectation: string) =>
    `GET /v1/indicators/${ID} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reader\r\nExpect: ${expectation}\r\nConnection: close\r\n\r\n`;
  assert.ok((await exchange(request('wonders'))).endsWith(DOCUMENT));
});

test('the whole address as target means the same path (RFC 9112 §3.2.2)', async () => {
  const target = (method: string, path: string) =>
    `${method} http://x${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reader\r\nConnection: close\r\n\r\n`;
  assert.ok((await exchange(target('GET', `/v1/indicators/${ID}`))).endsWith(DOCUMENT));
  assert.match(await exchange(target('GET', '?x')), /^HTTP\/1.1 404 /);
  assert.match(
    await exchange('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1.1 404 /,
  );
  assert.match(await exchange(target('PUT', SEARCH)), /^HTTP\/1.1 405 .*\r\nallow: POST\r\n/is);
});

test('a tunnel is not opened', async () => {
  assert.equal(await exchange('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'), '');
});

test('a body that ends early', async () => {
  const head = `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reader\r\nConnection: close\r\n`;
  await assertRaw(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'MALFORMED_REQUEST');
});

test('a pipelined request after a good one is answered in turn', async () => {
  const get = (close: boolean) =>
    `GET /v1/indicators/${ID} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reader\r\n${close ? 'Connection: close\r\n' : ''}\r\n`;
  const answer = await exchange(get(false) + get(true));
  assert.equal(answer.split(DOCUMENT).length, 3);
});

test('a request that comes while the server closes is answered as any other', async () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const { app } = testServer({
    search: async () => {
      reached.resolve();
      await held.promise;
      return { blocks: [], count: 0, nextPageToken: '' };
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port: ownPort } = app.server.address() as AddressInfo;
  const socket = connect(ownPort, '127.0.0.1');
  socket.setEncoding('utf8');
  const head = 'HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reader\r\n';
  socket.write(`POST ${SEARCH} ${head}Content-Length: 2\r\n\r\n{}`);
  await reached.promise;
  const closed = app.close();
  socket.write(`GET /v1/indicators/${ID} ${head}\r\n`);
  const answers = (async () => {
    let text = '';
    for await (const chunk of socket) text += chunk;
    return text;
  })();
  // The answers come in order, so the first is released when the server has read the second request.
  app.server.once('request', () => held.resolve());
  assert.match(await answers, /^HTTP\/1.1 200 .*HTTP\/1.1 200 .*connection: close.*203\.0\.113\.9/is);
  await closed;
});

test('under the name localhost there is one server, which has all bounds', async (t) => {
  const answer = (host: string, _options: object, done: (error: null, found: object[]) => void) => {
    const found = host === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [host];
    done(
      null,
      found.map((address) => ({ address, family: 4 })),
    );
  };
  t.mock.method(dns, 'lookup', answer);
  const { app } = testServer();
  await listenOn(app, 'localhost', 0);
  try {
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.2', () => socket.destroy(new Error('a second server answers')));
    const [error] = await once(socket, 'error');
    assert.match(String(error), /ECONNREFUSED/);
  } finally {
    await app.close();
  }
});
