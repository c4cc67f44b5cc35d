// The memory that clients can take: uploads that stall, answers that nobody reads, and more events than a key may send. An
// honest client beside them is served.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { RunningService } from '../support/running-service.ts';
import { anEvent, events } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

const MEBIBYTE = 1_048_576;
/**
 * Above the memory of this process before the service starts, which itself takes up to 200 MiB. The shares for bodies and
 * for answers are then 80 to 120 MiB, and one key gets half.
 */
const LEFT = 600 * MEBIBYTE;

let service: RunningService;
const sockets: Socket[] = [];
before(async () => {
  const budget = process.memoryUsage.rss() + LEFT;
  service = await RunningService.start({
    TIS_MEMORY_BUDGET: `${budget}`,
    TIS_RATE_LIMIT_EVENTS_PER_MINUTE: '1500',
  });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
after(() => service.dispose());

const INGEST = '/v1/sensorEvents:ingest';
const OBJECTS = '/taxii2/collections/service-global-feed/objects/?limit=5000';

const sensorKey = () => service.key({ sensor: true });

/** A client that sends these lines and reads only the beginning of the answer. */
function open(...lines: readonly string[]) {
  const socket = connect(service.port, '127.0.0.1');
  sockets.push(socket);
  const client = { socket, got: '' };
  socket.on('error', () => {});
  socket.once('data', (chunk) => {
    client.got = chunk.toString('latin1');
    socket.pause();
  });
  socket.write([...lines, 'Host: a', '', ''].join('\r\n'));
  return client;
}

const statusOf = ({ got }: { got: string }) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(got)?.[1] ?? 0);

async function metric(line: string): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((one) => one.startsWith(line))
      ?.split(' ')[1] ?? 0,
  );
}

test('uploads that stall take half of the room, and others are taken in', async () => {
  const key = await sensorKey();
  const upload = () =>
    open(`POST ${INGEST} HTTP/1.1`, `Authorization: Bearer ${key}`, `Content-Length: ${8 * MEBIBYTE}`);
  const uploads = Array.from({ length: 12 }, upload);
  const refused = () => uploads.filter(({ got }) => got !== '');
  const held = () => metric('http_memory_held_bytes{of="bodies"}');
  const taken = async () => (await held()) / (8 * MEBIBYTE) + refused().length;
  await until('every upload to be judged', async () => (await taken()) === uploads.length);
  const most = await held();
  assert.ok(most >= 32 * MEBIBYTE && most <= 64 * MEBIBYTE, `${most} bytes held`);
  for (const { got } of refused()) {
    assert.match(got, /^HTTP\/1\.1 429 /);
    assert.match(got, /\r\nretry-after: 1\r\n/);
  }
  await service.as(await sensorKey()).ingest([anEvent()]);
  assert.equal((await fetch(`${service.url}/livez`)).status, 200);

  for (const { socket } of uploads) socket.destroy();
  await until('an empty room', async () => (await held()) === 0);
  await service.as(key).ingest([anEvent()]);
});

test('answers that nobody reads take half of the room, and others are answered', async () => {
  const labels = Array.from({ length: 10 }, (_, index) => ({
    key: `label-${index}`,
    value: 'y'.repeat(900),
  }));
  await service.as(await sensorKey()).ingest(events(500, { labels }));
  await service.settled();
  const key = await service.key();
  const ask = () => open(`GET ${OBJECTS} HTTP/1.1`, `Authorization: Bearer ${key}`);
  const asking: ReturnType<typeof ask>[] = [];
  for (let answered = 0; !asking.some((one) => statusOf(one) === 429); answered++) {
    assert.ok(answered < 60, 'no answer was refused');
    const one = ask();
    asking.push(one);
    await until('an answer', () => one.got !== '');
  }
  const held = await metric('http_memory_held_bytes{of="answers"}');
  assert.ok(held > 32 * MEBIBYTE && held < 80 * MEBIBYTE, `${held} bytes held`);
  const other = await service.as(await service.key()).send(OBJECTS);
  assert.equal(other.status, 200);
});

test('a key that sends more events than it may is refused until they flow back', async () => {
  const sensor = service.as(await sensorKey());
  await sensor.ingest(events(1_000));
  const refused = await sensor.send(INGEST, { method: 'POST', body: { events: events(1_000) } });
  assert.equal(refused.status, 429);
  const { message } = refused.json<{ message: string }>();
  assert.equal(message, 'over the limit of this credential: 1500 events a minute, at most 1500 at once');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  await service.as(await sensorKey()).ingest(events(1));
});
