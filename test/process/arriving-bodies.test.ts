// Reading bodies over real sockets: the room they take, bodies that stall, and clients that leave.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { bodyOf, readBodies } from '../../src/api/http/body-reader.ts';
import { createRooms } from '../../src/api/http/room.ts';
import { testServer } from '../../src/api/rest-server.test-support.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { until } from '../support/until.ts';

const LIMIT = 100_000;

const sockets: Socket[] = [];
let app: FastifyInstance | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
});

async function serve(bytes: number) {
  const { bodies: room } = createRooms({ bodies: bytes, answers: 1 }, new Metrics());
  const bodies: string[] = [];
  const spent: number[] = [];
  ({ app } = testServer({
    bodies: { room, spendBytes: async (_credential, count) => void spent.push(count) },
    plugins: [
      (scope) => {
        readBodies(scope);
        scope.post('/body', { bodyLimit: LIMIT }, async (request) => {
          bodies.push(bodyOf(request).toString('latin1'));
          return 'got';
        });
      },
    ],
  }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { room, bodies, spent, port };
}

/** A client, and everything that it got. */
function open(port: number, bytes: string) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const client = { socket, got: '' };
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    client.got += chunk.toString('latin1');
  });
  socket.write(bytes);
  return client;
}

const announce = (length: number, more = '') =>
  `POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${more}\r\n`;
const CHUNKED = 'POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

test('a body takes its announced length of the room until its answer is sent', async () => {
  const { room, bodies, port } = await serve(1_000);
  const { socket } = open(port, announce(400));
  await until('a reservation', () => room.used === 400);
  const refused = open(port, announce(400, 'Expect: 100-continue\r\n'));
  await until('a refusal', () => refused.got.includes('\r\n\r\n'));
  assert.match(refused.got, /^HTTP\/1\.1 429 /);
  assert.match(refused.got, /\r\nretry-after: 1\r\n/);
  socket.write('x'.repeat(150));
  socket.write('y'.repeat(250));
  await until('the end of the request', () => room.used === 0);
  assert.deepEqual(bodies, ['x'.repeat(150) + 'y'.repeat(250)]);
});

test('a body without a length takes room as it grows', async () => {
  const { room, bodies, port } = await serve(100_000);
  const piece = `4000\r\n${'z'.repeat(0x4000)}\r\n`;
  const small = open(port, `${CHUNKED}5\r\nhello\r\n0\r\n\r\n`);
  await until('an answer', () => small.got.includes('got'));
  assert.deepEqual(bodies, ['hello']);
  const large = open(port, CHUNKED + piece.repeat(3));
  await until('a larger reservation', () => room.used > 0x8000);
  large.socket.write(piece.repeat(2));
  await until('a refusal', () => large.got.includes('BYTES_UNDER_WAY_EXCEEDED'));
  await until('an empty room', () => room.used === 0);
});

test('a body that stalls is given up, one that arrives slowly is not', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { room, bodies, port } = await serve(1_000_000);
  const stalled = open(port, announce(12_000) + 'x'.repeat(6_000));
  const givenUp = once(stalled.socket, 'close');
  const slow = open(port, announce(12_000));
  await until('two reservations', () => room.used === 24_000);
  for (let sweep = 0; sweep < 4; sweep++) {
    slow.socket.write('y'.repeat(1_000));
    // The bytes have arrived when another client is answered.
    assert.equal((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status, 200);
    t.mock.timers.tick(5_000);
  }
  await givenUp;
  assert.match(stalled.got, /^HTTP\/1\.1 408 /);
  assert.equal(room.used, 12_000);
  slow.socket.write('y'.repeat(8_000));
  await until('the whole slow body', () => bodies.length === 1);
  assert.equal(bodies[0]?.length, 12_000);
});

test('a client that leaves gives its room back', async () => {
  const { room, port } = await serve(1_000);
  const { socket } = open(port, `${announce(400)}some`);
  await until('a reservation', () => room.used === 400);
  socket.destroy();
  await until('an empty room', () => room.used === 0);
});
