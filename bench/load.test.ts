// The two kinds of load against a server in this process: failures end a run, and an open loop counts waiting.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { request, runLoad } from './load.ts';
import { runOpenLoop } from './open-loop.ts';

async function startServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const OK: RequestListener = (_request, response) => void response.setHeader('content-length', 2).end('ok');
const SEARCH = request('POST', '/search', { authorization: 'x' }, '{}');
const closed = (port: number) => runLoad({ port, requests: [SEARCH], connections: 2, seconds: 0.05 });
const open = (port: number, connections = 2) =>
  runOpenLoop({ port, requests: [SEARCH], connections, seconds: 0.1, perSecond: 100 });

test('a request with a body names its type', async () => {
  const types = new Set<string | undefined>();
  using server = await startServer((request, response) => {
    types.add(request.headers['content-type']);
    OK(request, response);
  });
  assert.ok((await closed(server.port)).requests > 0);
  assert.deepEqual([...types], ['application/json']);
});

for (const [name, run] of Object.entries({ closed, open })) {
  test(`${name} loop: an answer with another status ends the run and is quoted`, async () => {
    using server = await startServer((_request, response) =>
      response.writeHead(415, { 'content-length': 4 }).end('what'),
    );
    await assert.rejects(
      run(server.port),
      /POST \/search HTTP\/1.1: expected HTTP\/1.1 200, got HTTP\/1.1 415 .*what/,
    );
  });

  test(`${name} loop: a connection that the server closes ends the run`, async () => {
    using server = await startServer((request) => request.socket.destroy());
    await assert.rejects(run(server.port), /POST \/search/);
  });

  test(`${name} loop: nothing listens`, async () => {
    const server = await startServer(OK);
    server[Symbol.dispose]();
    await assert.rejects(run(server.port), /a connection: .*ECONNREFUSED/);
  });
}

test('an open loop sends every arrival once', async () => {
  let requests = 0;
  using server = await startServer((request, response) => {
    requests += 1;
    OK(request, response);
  });
  const { requests: planned, unanswered } = await open(server.port);
  assert.deepEqual({ planned, unanswered, requests }, { planned: 10, unanswered: 0, requests: 10 });
});

test('in an open loop the requests behind a slow one wait, and that counts', async () => {
  let isFirst = true;
  using server = await startServer((request, response) => {
    setTimeout(() => OK(request, response), isFirst ? 100 : 0);
    isFirst = false;
  });
  // Ten requests in 100 ms over one connection: the one in the middle has waited about 50 ms.
  const { p50 } = await open(server.port, 1);
  assert.ok(p50 >= 40, `p50 is ${p50} ms`);
});
