// GET /v1/indicators:watch: what comes, in which order, from where on, for whom, and when it ends. Two threads answer.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { tis } from '../support/command-line.ts';
import { EventStreamClient, type ServerEvent } from '../support/event-stream.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, events } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

let service: RunningService;
let writer: string;

before(async () => {
  service = await RunningService.start({ TIS_HTTP_THREADS: '2' });
  writer = await service.key({ scopes: ['admin'], tlpCeiling: 'RED' });
});
after(() => service.dispose());

const watch = (credential: string, query = '', lastEventId?: string) =>
  EventStreamClient.open(`${service.url}/v1/indicators:watch${query}`, credential, lastEventId);

const watched = ({ data }: ServerEvent) => data.indicator?.value;

test('an indicator comes as it is stored, a moment after its event, and again when it changes', async () => {
  const reader = await service.key();
  await using stream = await watch(reader);
  const { data } = await stream.expect('ready');
  assert.deepEqual(data, { ready: { heartbeatSeconds: 15 } });
  const event = anEvent();
  await service.as(writer).ingest([event]);
  const first = await stream.expect('indicator');
  assert.equal(watched(first), event.value);
  assert.deepEqual(first.data.indicator, await service.as(reader).find(event.value));
  await service.as(writer).ingest([anEvent({ value: event.value, tags: ['again'] })]);
  assert.deepEqual((await stream.expect('indicator')).data.indicator?.tags, ['again']);
});

test('events of another process come too, and a filter leaves the others out', async () => {
  await using stream = await watch(
    await service.key(),
    '?filter.protocols=PROTOCOL_DNP3&filter.tags=watched',
  );
  await stream.expect('ready');
  const wanted = anEvent({ protocol: 'PROTOCOL_DNP3', tags: ['watched'] });
  await service.as(writer).ingest([anEvent({ tags: ['watched'] }), anEvent({ protocol: 'PROTOCOL_DNP3' })]);
  const file = join(service.dataDir, 'events.ndjson');
  await writeFile(file, `${JSON.stringify(wanted)}\n`);
  const { stderr, code } = await tis(['ingest', '--data-dir', service.dataDir, file]);
  assert.equal(code, 0, stderr);
  assert.equal(watched(await stream.expect('indicator')), wanted.value);
});

test('what is above the ceiling does not exist, and moves no id', async () => {
  const green = await service.key({ tlpCeiling: 'GREEN' });
  await using stream = await watch(green);
  const { id } = await stream.expect('ready');
  await service.as(writer).ingest(events(3, { tlp: 'TLP_MARKING_AMBER' }));
  await using later = await watch(green);
  assert.equal((await later.expect('ready')).id, id);
  const visible = anEvent({ tlp: 'TLP_MARKING_GREEN' });
  await service.as(writer).ingest([visible]);
  assert.equal(watched(await stream.expect('indicator')), visible.value);
  // The id of another ceiling names another history.
  await using amber = await watch(await service.key({ tlpCeiling: 'AMBER' }), '', id);
  await amber.expect('ready');
  assert.deepEqual((await amber.expect('gap')).data, { gap: { reason: 'WATCH_GAP_REASON_UNKNOWN_ID' } });
});

test('a client that comes back gets what it missed, once and in order', async () => {
  const reader = await service.key();
  const missed = events(120);
  let lastEventId: string;
  {
    await using stream = await watch(reader);
    ({ id: lastEventId } = await stream.expect('ready'));
  }
  for (let sent = 0; sent < missed.length; sent += 40)
    await service.as(writer).ingest(missed.slice(sent, sent + 40));
  const values: unknown[] = [];
  {
    await using stream = await watch(reader, '', lastEventId);
    await stream.expect('ready');
    for (let count = 0; count < 70; count++) values.push(watched(await stream.expect('indicator')));
    ({ lastEventId } = stream);
  }
  // A page cannot set the header for its first connection.
  await using stream = await watch(reader, `?lastEventId=${lastEventId}`);
  await stream.expect('ready');
  for (let count = 70; count < missed.length; count++) values.push(watched(await stream.expect('indicator')));
  assert.deepEqual(
    values,
    missed.map(({ value }) => value),
  );
});

test('an id that is too old or none of this service gives a gap, and the stream goes on from now', async () => {
  const reader = await service.key();
  for (const [id, reason] of [
    [`${(Date.now() - 25 * 3_600_000) * 1_000}.4`, 'TOO_OLD'],
    [`${(Date.now() + 3_600_000) * 1_000}.4`, 'UNKNOWN_ID'],
    ['42', 'UNKNOWN_ID'],
  ]) {
    await using stream = await watch(reader, '', id);
    await stream.expect('ready');
    assert.deepEqual((await stream.expect('gap')).data.gap?.reason, `WATCH_GAP_REASON_${reason}`);
    const event = anEvent();
    await service.as(writer).ingest([event]);
    assert.equal(watched(await stream.expect('indicator')), event.value);
  }
});

test('a withdrawn indicator is removed for every filter', async () => {
  const event = anEvent();
  const { results } = await service.as(writer).ingest([event]);
  const indicatorId = results[0]?.indicatorId ?? '';
  await using stream = await watch(await service.key(), '?filter.tags=none');
  await stream.expect('ready');
  await tis(['indicators', 'revoke', indicatorId, '--data-dir', service.dataDir]);
  assert.deepEqual((await stream.expect('removed')).data, { removed: { indicatorId } });
});

test('a stream ends within a second of its credential, in each thread', async () => {
  const issued = await service.issue();
  const streams = await Promise.all(Array.from({ length: 8 }, () => watch(issued.plaintext)));
  for (const stream of streams) await stream.expect('ready');
  await tis(['keys', 'revoke', issued.key.id, '--yes', '--data-dir', service.dataDir]);
  // The command has ended, so the revocation is older.
  const revokedBy = performance.now();
  for (const stream of streams) {
    const end = await stream.expect('end');
    assert.equal(end.data.end?.reason, 'WATCH_END_REASON_CREDENTIAL_ENDED');
    assert.equal(await stream.next(), undefined);
  }
  const took = performance.now() - revokedBy;
  assert.ok(took < 1_000, `${Math.round(took)} ms`);
});

test('a credential has ten streams over all threads, and needs the right scope', async () => {
  const reader = await service.key();
  const streams = await Promise.all(Array.from({ length: 10 }, () => watch(reader)));
  const refused = await service.as(reader).send('/v1/indicators:watch');
  assert.equal(refused.expect<{ details: { reason: string }[] }>(429).details[0]?.reason, 'TOO_MANY_STREAMS');
  for (const stream of streams) await stream[Symbol.asyncDispose]();
  await until('a place', async () => {
    const attempt = await watch(reader).catch(() => undefined);
    await attempt?.[Symbol.asyncDispose]();
    return attempt !== undefined;
  });
  const sensor = await service.key({ sensor: true });
  for (const [credential, status] of [
    [undefined, 401],
    [sensor, 403],
    [await service.key({ scopes: ['usage:read'] }), 403],
  ] as const)
    assert.equal((await service.as(credential).send('/v1/indicators:watch')).status, status);
  const faulty = await service.as(reader).send('/v1/indicators:watch?filter.minConfidenceScore=101&fliter=1');
  assert.equal(faulty.status, 400);
});

test('a client that does not read costs a page of memory, and the others nothing', async () => {
  const slow = await service.key();
  const socket = connect(service.port, '127.0.0.1').pause();
  socket.write(`GET /v1/indicators:watch HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${slow}\r\n\r\n`);
  await using stream = await watch(await service.key());
  await stream.expect('ready');
  const labels = Array.from({ length: 40 }, (_, index) => ({ key: `k${index}`, value: 'x'.repeat(1_000) }));
  const BATCHES = 10;
  for (let batch = 0; batch < BATCHES; batch++) await service.as(writer).ingest(events(40, { labels }));
  for (let count = 0; count < BATCHES * 40; count++) await stream.expect('indicator');
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const held = Number(/^http_memory_held_bytes\{of="answers"\} (\d+)$/m.exec(metrics)?.[1]);
  assert.ok(held > 0 && held < 2 * 1_024 ** 2, `${held} bytes are held`);
  assert.match(metrics, /^http_event_streams 2$/m);
  socket.destroy();
});

test('live figures come as a stream, and a client of the feed is a consumer', async () => {
  const administrator = await service.key({ scopes: ['admin'], tlpCeiling: 'RED', name: 'live' });
  const listing = '/taxii2/collections/service-global-feed/objects/?limit=1';
  assert.equal((await service.as(administrator).send(listing)).status, 200);
  await using stream = await EventStreamClient.open(`${service.url}/app/data/live:watch`, administrator);
  const first = await stream.expect('figures');
  await service.as(writer).ingest([anEvent({ sensorId: 'live-sensor' })]);
  const names = ({ data }: ServerEvent) =>
    (data.sensors as unknown as { sensor: string }[]).map(({ sensor }) => sensor);
  assert.ok(!names(first).includes('live-sensor'));
  assert.ok(names(await stream.expect('figures')).includes('live-sensor'));
  const consumer = await until('the poll to be stored', async () => {
    const answer = await service.as(administrator).send('/app/data/consumers');
    return answer
      .expect<{ consumers: { name: string }[] }>(200)
      .consumers.find(({ name }) => name === 'live');
  });
  assert.equal(consumer.name, 'live');
});

test('streams end when the service stops, and the stop is orderly', async () => {
  const stream = await watch(await service.key());
  await stream.expect('ready');
  const [orderly, end] = await Promise.all([service.restart(), stream.next()]);
  assert.equal(end?.data.end?.reason, 'WATCH_END_REASON_UNAVAILABLE');
  assert.equal(orderly, true);
});
