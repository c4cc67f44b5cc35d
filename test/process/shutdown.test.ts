// SIGTERM: accepted requests are answered, later ones get 503, and the process always ends.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { serve, type TisProcess, tis } from '../support/command-line.ts';
import { RestClient } from '../support/http-client.ts';
import { parseAnswer } from '../support/raw-socket.ts';
import { anEvent } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

const ENV = { TIS_LOG_LEVEL: 'info' };
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

let dataDir: string;
let key: string;
let service: TisProcess;
let url: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tis-shutdown-'));
  const scopes = ['--scope', 'events:write', '--scope', 'indicators:read'];
  const created = await tis(['keys', 'create', '--name', 'test', ...scopes, '--json', '--data-dir', dataDir]);
  key = JSON.parse(created.stdout).key;
  ({ process: service, url } = await serve(dataDir, { env: ENV }));
});
afterEach(async () => {
  await service.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

/** A connection that sends a request in pieces and collects the answer. */
class Conversation {
  readonly #socket: Socket;
  received = '';
  closed = false;

  constructor() {
    this.#socket = connect(Number(new URL(url).port), '127.0.0.1');
    this.#socket.setEncoding('utf8').on('data', (text: string) => {
      this.received += text;
    });
    this.#socket
      .on('error', () => undefined)
      .on('close', () => {
        this.closed = true;
      });
  }

  async say(text: string): Promise<void> {
    await new Promise((resolve) => this.#socket.write(text, resolve));
  }

  async end(): Promise<string> {
    await until('the end of the connection', () => this.closed);
    return this.received;
  }
}

function ingestRequest(value: string): { head: string; body: string } {
  const body = JSON.stringify({ events: [anEvent({ value })] });
  const head =
    `POST /v1/sensorEvents:ingest HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`;
  return { head, body };
}

/** Waits until the service logs that it stops. */
function stopping(): Promise<true> {
  return until('the service to stop', () => /"msg":"stopping"/.test(service.stderr));
}

test('a request that was accepted is answered, one that comes later is not taken', async () => {
  const accepted = new Conversation();
  const late = new Conversation();
  const asked = new Conversation();
  const idle = new Conversation();
  const { head, body } = ingestRequest('198.51.100.40');
  await accepted.say(head + body.slice(0, 20));
  // These requests have begun. The service closes idle connections immediately.
  const second = ingestRequest('198.51.100.41');
  await late.say(second.head.slice(0, 30));
  await asked.say('GET /readyz HTTP/1.1\r\nHost: t');
  await idle.say('GET /livez HTTP/1.1\r\nHost: test\r\n\r\n');
  await until('an answer', () => idle.received.includes('alive'));

  const ended = service.kill('SIGTERM');
  await stopping();
  await idle.end();
  await assert.rejects(fetch(`${url}/livez`), 'no new connection');

  await late.say(second.head.slice(30) + second.body);
  const refusal = parseAnswer(await late.end());
  assert.equal(refusal.status, 503);
  assert.equal(JSON.parse(refusal.body).code, 14);
  assert.equal(refusal.headers.get('connection'), 'close');
  assert.ok(refusal.headers.has('retry-after'));

  await asked.say('est\r\n\r\n');
  const state = parseAnswer(await asked.end());
  assert.equal(state.status, 503);
  assert.equal(JSON.parse(state.body).status, 'stopping');

  await accepted.say(body.slice(20));
  const answer = parseAnswer(await accepted.end());
  assert.equal(answer.status, 200);
  assert.equal(JSON.parse(answer.body).acceptedCount, 1);

  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
  assert.match(stderr, /"msg":"stopped"/);

  ({ process: service, url } = await serve(dataDir, { env: ENV }));
  const reader = new RestClient(url, key);
  assert.equal((await reader.find('198.51.100.40'))?.value, '198.51.100.40');
  const { indicators } = await reader.search({ query: '198.51.100.41' });
  assert.deepEqual(indicators, []);
});

test('events in the middle of the pipeline are stored before it ends, and worked on after the next start', async () => {
  const writer = new RestClient(url, key);
  // Few enough that a slow machine finishes the claimed jobs within the grace period.
  const [BATCHES, EVENTS] = [4, 25];
  const batches = await Promise.all(
    Array.from({ length: BATCHES }, (_, batch) =>
      writer.ingest(
        Array.from({ length: EVENTS }, (_, index) => anEvent({ value: `198.51.${100 + batch}.${index}` })),
      ),
    ),
  );
  assert.equal(
    batches.reduce((sum, { acceptedCount }) => sum + acceptedCount, 0),
    BATCHES * EVENTS,
  );
  const { code } = await service.kill('SIGTERM');
  assert.equal(code, 0);
  const checked = await tis(['check', '--json', '--data-dir', dataDir]);
  assert.equal(checked.code, 0, checked.stdout);
  assert.equal(JSON.parse(checked.stdout).indicators, BATCHES * EVENTS);
  // No lease is left, so no job waits for the end of one.
  ({ process: service, url } = await serve(dataDir, { env: ENV }));
  await until(
    'an empty queue',
    async () => {
      const jobs = JSON.parse((await tis(['jobs', 'list', '--json', '--data-dir', dataDir])).stdout);
      assert.equal(jobs.dead, 0);
      return jobs.pending === 0;
    },
    // Shorter than a lease.
    45_000,
  );
});

test('a client that never finishes does not keep it from ending', async () => {
  const slow = new Conversation();
  const { head } = ingestRequest('198.51.100.42');
  // After 100 Continue the client knows that its request has begun.
  await slow.say(head.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'));
  await until('to be told to go on', () => slow.received === CONTINUE);
  const started = performance.now();
  const { code, stderr } = await service.kill('SIGTERM');
  // Ten seconds of grace, and time for a busy machine to end a process.
  assert.ok(performance.now() - started < 20_000);
  assert.equal(code, 1);
  assert.match(stderr, /stopped by force/);
  assert.equal(await slow.end(), CONTINUE);
});
