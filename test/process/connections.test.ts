// Bounds on connections of a running service, on both of its ports.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
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
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  socket.pause();
  socket.on('error', () => {});
  return socket;
}

for (const port of ['url', 'adminUrl'] as const) {
  test(`an address has its number of connections at the ${port === 'url' ? 'public' : 'admin'} port`, async () => {
    const held = Array.from({ length: PER_ADDRESS }, () => open(service[port]));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    // The service accepts connections in the order in which they were made.
    await once(open(service[port]).resume(), 'close');
    for (const socket of held) socket.destroy();
    await until('a free place', async () => {
      const answer = await fetch(`${service[port]}/none`, { headers: { connection: 'close' } }).catch(
        () => undefined,
      );
      return answer?.status === 404;
    });
  });
}

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
