// Clients that send and never read, over real sockets, plain and with TLS.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { createConnectionBounds } from '../../src/api/http/connections.ts';
import { testServer } from '../../src/api/rest-server.test-support.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { makeCertificate } from '../support/certificate.ts';
import { until } from '../support/until.ts';

const REQUESTS = 1_500;
/** More than the system takes for a client that does not read. */
const LARGE = Buffer.alloc(16 * 1_024 * 1_024, 'x');

const IDENTITY = makeCertificate();
/** Whether the tests that run now use TLS. */
let secure = false;
const sockets: Socket[] = [];
const servers: FastifyInstance[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((app) => app.close()));
});

/** A server that counts the requests for `/large` and the number of them that were unanswered at the same time. */
async function serve(
  limits = { total: 100, perAddress: 100 },
  trusted: readonly string[] = [],
  handshakeTimeout = 60_000,
) {
  const seen = { handled: 0, unanswered: 0, most: 0, body: 0 };
  const gate = Promise.withResolvers<void>();
  const metrics = new Metrics();
  const { app } = testServer({
    metrics,
    tls: secure ? IDENTITY : undefined,
    handshakeTimeout,
    boundConnections: createConnectionBounds({
      limits,
      trustsProxy: (address) => trusted.includes(address),
      metrics,
    }),
    plugins: [
      (scope) => {
        scope.addHook('onRequest', async (_request, reply) => {
          seen.handled += 1;
          seen.unanswered += 1;
          seen.most = Math.max(seen.most, seen.unanswered);
          reply.raw.once('close', () => {
            seen.unanswered -= 1;
          });
        });
        scope.get('/large', async () => LARGE);
        scope.get('/small', async () => 'small');
        scope.get('/wait', async () => {
          await gate.promise;
          return 'done';
        });
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
        scope.post('/body', { bodyLimit: LARGE.length }, async ({ body }) => {
          seen.body = (body as Buffer).length;
          return 'got';
        });
      },
    ],
  });
  servers.push(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { app, port, seen, letGo: gate.resolve, metrics };
}

/** A client that reads nothing until it is resumed. */
function open(port: number, bytes?: string | Buffer): Socket {
  const address = { port, host: '127.0.0.1' };
  const socket = secure ? connectTls({ ...address, ca: IDENTITY.cert }) : connect(address);
  sockets.push(socket);
  socket.pause();
  socket.on('error', () => {});
  if (bytes !== undefined) socket.write(bytes);
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Everything that the socket gets until `enough` holds for it. */
async function read(socket: Socket, enough: (text: string) => boolean): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.resume();
  await until('the answers', () => enough(text) || socket.destroyed);
  return text;
}

const answers = (text: string) => text.split('HTTP/1.1 200 OK').length - 1;

for (const scheme of ['http', 'https']) {
  describe(scheme, () => {
    before(() => {
      secure = scheme === 'https';
    });

    test('of thousands of requests whose answers nobody reads, few are handled', async () => {
      const { port, seen } = await serve();
      open(port, get('/large').repeat(REQUESTS));
      await until('a first answer', () => seen.handled > 0);
      // Whatever else has arrived was handled before another client is answered.
      for (let round = 0; round < 20; round++) {
        assert.equal(answers(await read(open(port, get('/openapi.json')), (text) => answers(text) === 1)), 1);
      }
      assert.ok(seen.handled <= 12, `${seen.handled} handled`);
    });

    test('short requests are bounded in number, also those that are waiting for the service', async () => {
      const { port, seen, letGo } = await serve();
      const socket = open(port, 'GET /wait HTTP/1.1\r\nHost:\r\n\r\n'.repeat(REQUESTS));
      await until('requests that wait', () => seen.handled >= 4);
      await read(open(port, get('/openapi.json')), (text) => answers(text) === 1);
      assert.ok(seen.handled <= 12, `${seen.handled} handled`);
      letGo();
      assert.equal(answers(await read(socket, (text) => answers(text) === REQUESTS)), REQUESTS);
      assert.ok(seen.most <= 12, `${seen.most} at once`);
    });

    test('a client that reads in the end gets every answer in order', async () => {
      const { port, seen } = await serve();
      const rounds = 200;
      const socket = open(
        port,
        `${get('/large')}${`${get('/small')}${get('/missing')}`.repeat(rounds)}${get('/large')}`,
      );
      await until('a first answer', () => seen.handled > 0);
      const text = await read(socket, (got) => got.length > 2 * LARGE.length && answers(got) === rounds + 2);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      assert.deepEqual(statuses, [
        '200',
        ...Array.from({ length: rounds }, () => ['200', '404']).flat(),
        '200',
      ]);
    });

    test('bodies among pipelined requests arrive whole, however they are cut', async () => {
      const { port, seen } = await serve();
      const body = 'a\r\n\r\n'.repeat(100_000);
      const post = `POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const socket = open(port);
      const all = Buffer.from(`${get('/small').repeat(9)}${post}${get('/small').repeat(9)}${post}`);
      for (let at = 0; at < all.length; at += 9_973) socket.write(all.subarray(at, at + 9_973));
      assert.equal(answers(await read(socket, (text) => answers(text) === 20)), 20);
      assert.equal(seen.body, body.length);
    });

    test('a client that accepts nothing of its answer for half a minute is cut off, one that reads is not', async (t) => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      const { app, port, seen, metrics } = await serve();
      const stalled = open(port, get('/large'));
      const idle = open(port, get('/small'));
      await read(idle, (text) => answers(text) === 1);
      await until('an answer that waits', () => seen.handled === 2);
      await once(open(port, get('/openapi.json').replace('a', 'a\r\nConnection: close')).resume(), 'close');
      t.mock.timers.tick(25_000);
      assert.equal(await connectionsOf(app), 2);
      t.mock.timers.tick(10_000);
      await until('the end of the stalled connection', async () => (await connectionsOf(app)) === 1);
      assert.match(await metrics.text(), /http_connections_closed_total\{reason="stalled"\} 1/);
      stalled.resume();
      await once(stalled, 'close');
      assert.equal(idle.destroyed, false);
    });

    test('connections are bounded by address', async () => {
      const { app, port, metrics } = await serve({ total: 100, perAddress: 3 });
      const held = [open(port), open(port), open(port)];
      await until('three connections', async () => (await connectionsOf(app)) === 3);
      await closed(open(port).resume());
      assert.match(await metrics.text(), /http_connections_closed_total\{reason="address"\} 1/);
      held[0]?.destroy();
      await until('a free place', async () => (await connectionsOf(app)) === 2);
      assert.match(await read(open(port, get('/small')), (text) => answers(text) === 1), /small$/);
    });

    test('connections are bounded in all, also those of trusted proxies, which have no bound by address', async () => {
      const { app, port, metrics } = await serve({ total: 3, perAddress: 1 }, ['127.0.0.1']);
      for (let count = 0; count < 3; count++) open(port);
      await until('three connections', async () => (await connectionsOf(app)) === 3);
      await closed(open(port).resume());
      assert.match(await metrics.text(), /http_connections_closed_total\{reason="total"\} 1/);
    });
  });
}

test('a handshake that fails or never comes ends its connection, without an answer in plain text', async () => {
  secure = true;
  const { app, port, metrics } = await serve(undefined, [], 200);
  for (const bytes of ['', get('/small'), Buffer.from('16030100050100000103', 'hex')]) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.write(bytes);
    await once(socket, 'close');
    assert.doesNotMatch(text, /HTTP/);
  }
  assert.equal(await connectionsOf(app), 0);
  assert.match(await metrics.text(), /http_connections_closed_total\{reason="handshake"\} 3/);
  assert.match(await read(open(port, get('/small')), (text) => answers(text) === 1), /small$/);
});

/** Also when it ends with an error. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function connectionsOf({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
