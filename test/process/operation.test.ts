// The admin side of a service: health, metrics, and authorization for other gateways.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import type { Environment } from '../../src/variables.ts';
import { send } from '../support/http-client.ts';
import { exchange, parseAnswer } from '../support/raw-socket.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, events } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

async function withService(
  settings: Environment,
  check: (service: RunningService) => Promise<void>,
): Promise<void> {
  const service = await RunningService.start(settings);
  try {
    await check(service);
  } finally {
    await service.dispose();
  }
}

async function metricsOf({ adminUrl }: RunningService): Promise<ReadonlyMap<string, number>> {
  const answer = await send(`${adminUrl}/metrics`);
  assert.equal(answer.status, 200);
  const samples = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('a service at work', () =>
  withService({ TIS_NEW_VALUES_PER_DAY: '5' }, async (service) => {
    const ready = await send(`${service.url}/readyz`);
    assert.equal(ready.status, 200);
    const { backlogAgeSeconds, ...rest } = ready.json<Record<string, unknown>>();
    assert.ok((backlogAgeSeconds as number) < 5);
    assert.deepEqual(rest, {
      status: 'ready',
      backlogWithinLimit: true,
      storeReadable: true,
      storeWritable: true,
      storeIntact: true,
      pipelineAlive: true,
      clock: 'steady',
    });
    assert.equal((await send(`${service.url}/livez`)).status, 200);

    const client = service.as(await service.key({ scopes: ['events:write', 'indicators:read'] }));
    const batch = [...events(5), anEvent({ value: '10.0.0.1' })];
    await client.ingest(batch);
    const over = await client.ingest([...batch, anEvent()]);
    assert.equal(over.results.at(-1)?.reason, 'NEW_VALUE_QUOTA');
    await client.search({ query: 'modbus' });
    await service.settled();
    const metrics = await metricsOf(service);
    const expected = {
      'ingest_events_total{status="accepted"}': 5,
      'ingest_events_total{status="duplicate"}': 5,
      'ingest_events_total{status="refused"}': 3,
      'ingest_events_refused_total{reason="PRIVATE_ADDRESS"}': 2,
      'ingest_events_refused_total{reason="NEW_VALUE_QUOTA"}': 1,
      'ingest_events_refused_total{reason="TOTAL_QUOTA"}': 0,
      'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/v1/sensorEvents:ingest",http_response_status_code="200"}': 2,
      'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/v1/indicators/search",http_response_status_code="200"}': 1,
      pipeline_backlog_age_seconds: 0,
      'pipeline_jobs{state="dead"}': 0,
      store_writable: 1,
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(metrics.get(name), value, name);
    assert.ok(Math.abs((metrics.get('feed_last_added_timestamp') ?? 0) - Date.now() / 1_000) < 60);
    assert.ok((metrics.get('process_resident_memory_bytes') ?? 0) > 10_000_000);
    if (process.platform === 'linux') {
      const names = await threadNames();
      assert.ok(names.includes('pipeline') && names.includes('metering'), names.join());
    }
  }));

/** The service runs in this process. */
async function threadNames(): Promise<readonly string[]> {
  const threads = await readdir('/proc/self/task');
  const names = await Promise.all(
    // A thread may have ended meanwhile.
    threads.map((thread) => readFile(`/proc/self/task/${thread}/comm`, 'utf8').catch(() => '')),
  );
  return names.map((name) => name.trim());
}

test('a queue that nobody works makes it unready', () =>
  withService({ TIS_WORKERS: '0', TIS_READY_BACKLOG_SECONDS: '1' }, async (service) => {
    const client = service.as(await service.key({ scopes: ['events:write'] }));
    await client.ingest(events(3));
    const unready = await until('an age above the limit', async () => {
      const answer = await send(`${service.url}/readyz`);
      return answer.status === 503 ? answer.json<Record<string, unknown>>() : undefined;
    });
    assert.deepEqual(
      [unready.status, unready.backlogWithinLimit, unready.storeWritable],
      ['unready', false, true],
    );
    assert.ok((unready.backlogAgeSeconds as number) > 1);
    assert.ok(((await metricsOf(service)).get('pipeline_backlog_age_seconds') ?? 0) > 1);
    assert.equal((await client.ingest(events(1))).acceptedCount, 1, 'it takes in what comes all the same');
  }));

test('the public port has neither metrics nor the judgement for other gateways', () =>
  withService({}, async (service) => {
    const key = await service.key();
    for (const path of ['/metrics', '/internal/authorize']) {
      assert.equal((await send(service.url + path, { credential: key })).status, 404);
    }
    const admitted = await send(`${service.adminUrl}/internal/authorize`, { credential: key });
    assert.equal(admitted.status, 204);
    assert.equal(admitted.headers.get('x-tis-account'), 'default');
    assert.match(admitted.headers.get('x-tis-key-id') ?? '', /\w/);
    assert.equal(new URL(service.adminUrl).hostname, '127.0.0.1');
  }));

test('the admin port answers no page of another host, and judges one credential only', () =>
  withService({}, async (service) => {
    const port = Number(new URL(service.adminUrl).port);
    const ask = async (headers: string) =>
      parseAnswer(await exchange(port, `GET /metrics HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`))
        .status;
    assert.equal(await ask(`Host: 127.0.0.1:${port}\r\n`), 200);
    assert.equal(await ask(`Host: attacker.example:${port}\r\n`), 421);
    assert.equal(await ask('Host: localhost\r\nHost: attacker.example\r\n'), 400);
    assert.equal(await ask('Host: \r\n'), 421);
    assert.equal(await ask(''), 400);
    for (const expectation of ['100-continue', 'something else'])
      assert.equal(await ask(`Host: localhost\r\nExpect: ${expectation}\r\n`), 200);
    const key = `Authorization: Bearer ${await service.key()}\r\n`;
    const head = 'GET /internal/authorize HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
    assert.equal(parseAnswer(await exchange(port, `${head}${key}\r\n`)).status, 204);
    assert.equal(parseAnswer(await exchange(port, `${head}${key}${key}\r\n`)).status, 400);
  }));

test('there need be no admin port, and one that is taken is an error', async () => {
  await withService({ TIS_ADMIN_PORT: 'off' }, async ({ adminUrl }) => assert.equal(adminUrl, ''));
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  await assert.rejects(RunningService.start({ TIS_ADMIN_PORT: String(port) }), { code: 'EADDRINUSE', port });
  taken.close();
});

test('the address of metrics is a free one where that of the service is', () => {
  assert.equal(readConfig({ TIS_PORT: '0' }).adminPort, 0);
  assert.equal(readConfig({}).adminPort, 8081);
  assert.equal(readConfig({ TIS_PORT: '0', TIS_ADMIN_PORT: '9100' }).adminPort, 9100);
  assert.equal(readConfig({ TIS_ADMIN_PORT: 'OFF' }).adminPort, undefined);
  assert.throws(() => readConfig({ TIS_ADMIN_PORT: 'none' }), /TIS_ADMIN_PORT/);
  assert.throws(() => readConfig({ TIS_READY_BACKLOG_SECONDS: '0' }), /TIS_READY_BACKLOG_SECONDS/);
});
