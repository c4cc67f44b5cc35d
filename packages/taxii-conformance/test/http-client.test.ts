// The HTTP client: headers, retries and timeouts.

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HttpClient, NoAnswer } from '../src/http-client.ts';
import { Patience } from '../src/patience.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

async function withServer(
  listener: Listener,
  use: (client: HttpClient) => Promise<void>,
  { timeoutMs = 60_000, patience = new Patience(0) } = {},
): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const credential = { authorization: 'Bearer k' };
  const client = new HttpClient({ origin, credential, timeoutMs, patience });
  try {
    await use(client);
  } finally {
    client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test('headers are laid over each other, and null takes one away', async () => {
  const echo: Listener = ({ headers }, response) => response.end(JSON.stringify(headers));
  await withServer(echo, async (client) => {
    const usual = (await client.send('/')).object();
    assert.equal(usual.accept, 'application/taxii+json;version=2.1');
    assert.equal(usual.authorization, 'Bearer k');
    assert.equal(usual['user-agent'], 'taxii-conformance');
    const bare = (
      await client.send('/', { anonymous: true, headers: { accept: null, 'user-agent': null } })
    ).object();
    assert.deepEqual(
      [bare.accept, bare.authorization, bare['user-agent']],
      [undefined, undefined, undefined],
    );
    const posted = (await client.send('/', { method: 'POST', body: 'é' })).object();
    assert.equal(posted['content-length'], '2');
  });
});

test('a redirect is an answer like any other', async () => {
  const redirect: Listener = (_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  await withServer(redirect, async (client) => {
    assert.equal((await client.send('/')).status, 302);
  });
});

test('a server that says when to come again is asked again then, and only its last answer is judged', async () => {
  const answers: (readonly [status: number, retryAfter: string])[] = [
    [429, '3'],
    [503, '7'],
  ];
  const busy: Listener = (_request, response) => {
    const [status, retryAfter] = answers.shift() ?? [200, ''];
    response.writeHead(status, { 'retry-after': retryAfter }).end('{}');
  };
  const waits: number[] = [];
  const patience = new Patience(60, async (ms) => waits.push(ms));
  const use = async (client: HttpClient) => {
    assert.equal((await client.send('/', { method: 'POST', body: '{}' })).status, 200);
    assert.deepEqual([client.requests, client.exchanges.length], [3, 1]);
  };
  await withServer(busy, use, { patience });
  assert.deepEqual(waits, [3_000, 7_000]);
});

test('a refusal that comes before the body has gone is heard', async () => {
  const body = Buffer.alloc(32 * 1024 * 1024);
  for (const headers of [{ connection: 'close' }, {}]) {
    const refuse: Listener = (_request, response) => response.writeHead(413, headers).end('{}');
    await withServer(refuse, async (client) => {
      assert.equal((await client.send('/', { method: 'POST', body })).status, 413);
      assert.equal((await client.send('/')).status, 413, 'the next request has a connection');
    });
  }
});

test('what is read is asked for again when a connection that was kept turns out to be closed', async () => {
  const asks: string[] = [];
  const idle: Listener = ({ url = '', socket }, response) => {
    asks.push(url);
    if (asks.length === 2) socket.destroy();
    else response.end('{}');
  };
  await withServer(idle, async (client) => {
    await client.send('/first');
    assert.equal((await client.send('/second')).status, 200);
    assert.deepEqual(asks, ['/first', '/second', '/second']);
  });
});

test('what changes something is sent once, on a connection of its own', async () => {
  for (const method of ['POST', 'DELETE', 'PUT']) {
    const sent: string[] = [];
    const sockets = new Set<unknown>();
    const taking: Listener = (request, response) => {
      sockets.add(request.socket);
      if (request.method === 'GET') {
        response.end('{}');
        return;
      }
      sent.push(String(request.method));
      request.resume().on('end', () => request.socket.destroy());
    };
    await withServer(taking, async (client) => {
      await client.send('/');
      await assert.rejects(client.send('/', { method, body: '{}' }), NoAnswer);
      assert.deepEqual(sent, [method]);
      assert.equal(sockets.size, 2);
    });
  }
});

test('an answer that breaks off is none', async () => {
  let asks = 0;
  const breaking: Listener = ({ socket }, response) => {
    asks += 1;
    if (asks === 1) response.end('{}');
    else response.writeHead(200, { 'content-length': '9' }).write('{', () => socket.destroy());
  };
  await withServer(breaking, async (client) => {
    await client.send('/');
    await assert.rejects(client.send('/'), NoAnswer);
    assert.equal(asks, 2);
  });
});

test('silence, a broken connection and a server that is not there are no answer', async () => {
  await withServer(
    () => undefined,
    async (client) => {
      await assert.rejects(client.send('/silent'), /^Error: GET \/silent: no whole answer within 300 ms$/);
    },
    { timeoutMs: 300 },
  );
  await withServer(
    (request) => request.socket.destroy(),
    async (client) => {
      await assert.rejects(client.send('/broken'), /^Error: GET \/broken: socket hang up$/);
    },
  );
  const nowhere = new HttpClient({
    origin: new URL('http://127.0.0.1:9'),
    credential: {},
    timeoutMs: 60_000,
    patience: new Patience(0),
  });
  await assert.rejects(nowhere.send('/'), NoAnswer);
});
