// Bounds on connections of a running service, on both of its ports.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { parseAnswer } from '../support/raw-socket.ts';
import { RunningService } from '../support/running-service.ts';
import { until } from '../support/until.ts';

const PER_ADDRESS = 5;
const REQUESTS = 1_500;

let service: RunningService;
const sockets: Socket[] = [];
before(async () => {
  service = await RunningService.start({ TIS_MAX_CONNECTIONS_PER_ADDRESS: `${PER_ADDRESS}` });
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await service.dispose();
});

/** A client that reads nothing until it is resumed. */
function open(url: string): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.pause();
  socket.on('error', () => {});
  return socket;
}

/** Whether a new connection has a place. */
async function answersOthers(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/none`, { headers: { connection: 'close' } }).catch(() => undefined);
  return answer?.status === 404;
}

for (const port of ['url', 'adminUrl'] as const) {
  test(`an address has its number of connections at the ${port === 'url' ? 'public' : 'admin'} port`, async () => {
    const held = Array.from({ length: PER_ADDRESS }, () => open(service[port]));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    // The service accepts connections in the order in which they were made.
    const refused = open(service[port]);
    refused.on('end', () => refused.end());
    await once(refused.resume(), 'close');
    for (const socket of held) socket.destroy();
    await until('a free place', () => answersOthers(service[port]));
  });
}

for (const port of ['url', 'adminUrl'] as const) {
  test(`clients of broken requests that neither read nor hang up lose their places at the ${port === 'url' ? 'public' : 'admin'} port`, async () => {
    const broken = [
      'nonsense\r\n\r\n',
      `GET / HTTP/1.1\r\nx: ${'x'.repeat(100_000)}`,
      'GET / HTTP/9.9\r\n\r\n',
    ];
    const held = Array.from({ length: PER_ADDRESS }, () => open(service[port]));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    for (const [index, socket] of held.entries()) socket.write(broken[index % broken.length] ?? '');
    await until('a free place', () => answersOthers(service[port]));
    for (const socket of held) socket.destroy();
  });
}

test('a client that goes on sending gets the whole answer to its broken request', async () => {
  const socket = open(service.url);
  socket.write(`nonsense\r\n\r\n${'x'.repeat(1_000_000)}`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('end', () => socket.end());
  await once(socket.resume(), 'close');
  const { status, headers, body } = parseAnswer(text);
  assert.equal(status, 400);
  assert.equal(body.length, Number(headers.get('content-length')));
});

test('a flood of requests whose answers nobody reads is not served, and others are', async () => {
  const flood = open(service.url);
  flood.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(REQUESTS));
  for (let round = 0; round < 20; round++) assert.equal((await fetch(`${service.url}/livez`)).status, 200);
  const route = 'http_route="/openapi.json"';
  const handled = async () => {
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    const line = metrics.split('\n').find((text) => text.includes('_count{') && text.includes(route));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  assert.ok((await handled()) < REQUESTS);
  flood.resume();
  await until('the answers of a client that reads', async () => (await handled()) === REQUESTS);
});
