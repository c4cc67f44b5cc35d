// Several threads that answer HTTP on one port: limits, use, revocation, metrics and the end of the service are those of one.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { tis } from '../support/command-line.ts';
import { endOfAccess } from '../support/end-of-access.ts';
import { OF_PAGE } from '../support/page-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, events } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';
import type { SearchReply } from '../support/wire.ts';

const BURST = 200;
const PER_ADDRESS = 90;
/** More than enough for each thread to get some of them. */
const CONNECTIONS = 24;

let service: RunningService;
/** Each keeps one connection, which belongs to one thread. */
const agents: Agent[] = [];

/** Threads that were started in this process. */
const workers: Worker[] = [];
const note = (worker: Worker) => workers.push(worker);

before(async () => {
  process.on('worker', note);
  service = await RunningService.start({
    TIS_HTTP_THREADS: '3',
    // Requests are refused while the service stops.
    TIS_LOG_LEVEL: 'fatal',
    TIS_RATE_LIMIT_BURST: `${BURST}`,
    // Nothing flows back while a test runs.
    TIS_RATE_LIMIT_PER_MINUTE: '1',
    TIS_MAX_CONNECTIONS_PER_ADDRESS: `${PER_ADDRESS}`,
    TIS_RATE_LIMIT_EVENTS_PER_MINUTE: '100',
  });
  for (let made = 0; made < CONNECTIONS; made++) agents.push(new Agent({ keepAlive: true, maxSockets: 1 }));
});
after(async () => {
  process.off('worker', note);
  for (const agent of agents) agent.destroy();
  await service.dispose();
});

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** A request over one of the connections. */
function ask(connection: number, path: string, credential?: string, body?: object): Promise<Reply> {
  const sent = request(service.url + path, {
    agent: agents[connection % CONNECTIONS],
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...headersOf(credential),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  return new Promise((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', reject);
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** @param credential a key, or the cookie of a session. */
function headersOf(credential: string | undefined): Record<string, string> {
  if (credential === undefined) return {};
  return credential.includes('=')
    ? { ...OF_PAGE, cookie: credential }
    : { authorization: `Bearer ${credential}` };
}

const search = (connection: number, credential: string, query = '') =>
  ask(connection, '/v1/indicators/search', credential, query === '' ? {} : { query: `"${query}"` });

/** The value of a metric: the first group of the pattern. */
async function metric(pattern: RegExp): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  return Number(pattern.exec(text)?.[1] ?? 0);
}

const count = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;

test('a credential has one limit over all threads, and each answered page is billed once', async () => {
  const {
    plaintext: key,
    key: { id },
  } = await service.issue();
  const replies = await Promise.all(Array.from({ length: 2 * BURST }, (_, turn) => search(turn, key)));
  assert.deepEqual([count(replies, 200), count(replies, 429)], [BURST, BURST]);
  const usage = await tis(['usage', '--key', id, '--json', '--data-dir', service.dataDir]);
  assert.match(usage.stdout, new RegExp(`"searchCount": ${BURST}\\b`), usage.stdout);
});

test('what one thread has acknowledged every other one reads', async () => {
  const key = await service.key({ scopes: ['indicators:read', 'events:write'] });
  for (let round = 0; round < 20; round++) {
    const event = anEvent();
    const taken = await ask(round, '/v1/sensorEvents:ingest', key, { events: [event] });
    assert.equal(taken.status, 200, taken.text);
    const found = await search(round + 1 + (round % 7), key, event.value);
    assert.equal((JSON.parse(found.text) as SearchReply).indicators.length, 1, `round ${round}`);
  }
});

test('a revoked key is refused by every thread within a second', async () => {
  const {
    plaintext: key,
    key: { id },
  } = await service.issue();
  // 429 is for a credential that is valid.
  const isLetIn = async (connection: number) =>
    (await ask(connection, '/v1/indicators/x', key)).status !== 401;
  assert.ok((await Promise.all(agents.map((_, connection) => isLetIn(connection)))).every((letIn) => letIn));
  await tis(['keys', 'revoke', id, '--yes', '--data-dir', service.dataDir]);
  const revokedAt = Date.now();
  const ends = await Promise.all(agents.map((_, connection) => endOfAccess(() => isLetIn(connection))));
  for (const { lastLetIn } of ends) assert.ok(lastLetIn - revokedAt < 1_000, `${lastLetIn - revokedAt} ms`);
});

test('the session of a disabled person ends in every thread within a second', async () => {
  const { cookie, person } = await service.signIn();
  const isLetIn = async (connection: number) => (await ask(connection, '/v1/usage', cookie)).status !== 401;
  assert.ok((await Promise.all(agents.map((_, connection) => isLetIn(connection)))).every((letIn) => letIn));
  await tis(['users', 'disable', person.login, '--data-dir', service.dataDir]);
  const disabledAt = Date.now();
  const ends = await Promise.all(agents.map((_, connection) => endOfAccess(() => isLetIn(connection))));
  for (const { lastLetIn } of ends) assert.ok(lastLetIn - disabledAt < 1_000, `${lastLetIn - disabledAt} ms`);
});

test('requests and connections of all threads are counted together', async () => {
  const livez = () => metric(/^http_server_request_duration_seconds_count\{[^}]*"\/livez"[^}]*\} (\d+)$/m);
  const before = await livez();
  await Promise.all(Array.from({ length: 100 }, (_, turn) => ask(turn, '/livez')));
  await until('all to be counted', async () => (await livez()) === before + 100);
  const states = await Promise.all(agents.map((_, connection) => ask(connection, '/readyz')));
  assert.equal(count(states, 200), CONNECTIONS);

  const held: Socket[] = [];
  let closed = 0;
  for (let made = 0; made < PER_ADDRESS; made++) {
    const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
    });
    held.push(socket);
  }
  await until('those above the bound to be closed', () => closed === CONNECTIONS);
  for (const socket of held) socket.destroy();
});

test('bodies of one credential take half of one room, whichever threads read them', async () => {
  const key = await service.key({ sensor: true });
  const bytes = 8 * 1_024 ** 2;
  const head = [
    'POST /v1/sensorEvents:ingest HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${key}`,
    `Content-Length: ${bytes}`,
  ];
  const uploads = Array.from({ length: 60 }, () => connect(service.port, '127.0.0.1'));
  const refused = new Set<Socket>();
  // The connections of the test before may still count for the address when the first of these come.
  const closed = new Set<Socket>();
  for (const socket of uploads) {
    socket
      .on('error', () => undefined)
      .once('data', (answer) => {
        assert.match(answer.toString('latin1'), /^HTTP\/1\.1 429 /);
        refused.add(socket);
      })
      .once('close', () => {
        if (!refused.has(socket)) closed.add(socket);
      });
    socket.write([...head, '', ''].join('\r\n'));
  }
  const held = () => metric(/^http_memory_held_bytes\{of="bodies"\} (\d+)$/m);
  await until(
    'all to be judged',
    async () => (await held()) / bytes + refused.size + closed.size === uploads.length,
  );
  // Of 4 GiB, less what the process takes, a fifth is for bodies.
  const most = Math.floor((0.2 * 4 * 1_024 ** 3) / 2 / bytes);
  const taken = (await held()) / bytes;
  assert.ok(taken > most / 2 && taken <= most, `${taken} bodies are held`);
  for (const socket of uploads) socket.destroy();
  await until('an empty room', async () => (await held()) === 0);
});

test('failures of an address and events of a credential have one limit too', async () => {
  const guesses = await Promise.all(
    Array.from({ length: 700 }, (_, turn) => ask(turn, '/v1/indicators/x', 'tis_wrong')),
  );
  // 600 a minute, less those of the tests before; 10 flow back in a second.
  const failed = count(guesses, 401);
  assert.ok(failed > 500 && failed < 700, `${failed} were told of a wrong key`);

  const key = await service.key({ sensor: true });
  const batches = await Promise.all(
    Array.from({ length: 30 }, (_, turn) =>
      ask(turn, '/v1/sensorEvents:ingest', key, { events: events(10) }),
    ),
  );
  const taken = count(batches, 200);
  assert.ok(taken >= 10 && taken <= 14, `${taken} batches of 10 events were taken`);
});

test('a second service does not get a part of the port', async () => {
  await assert.rejects(
    RunningService.start({ TIS_HTTP_THREADS: '2', TIS_PORT: `${service.port}`, TIS_ADMIN_PORT: 'off' }),
    { code: 'EADDRINUSE' },
  );
});

test('a stop under load answers what it accepted, and what was acknowledged is stored', async () => {
  const key = await service.key({ scopes: ['indicators:read', 'events:write'] });
  const reader = await service.key();
  const acknowledged: string[] = [];
  const send = async (connection: number) => {
    for (;;) {
      const event = anEvent();
      const reply = await ask(connection, '/v1/sensorEvents:ingest', key, { events: [event] });
      if (reply.status !== 200) return reply.status;
      acknowledged.push(event.value);
    }
  };
  const ends = agents
    .slice(0, 6)
    .map((_, connection) => send(connection).catch((error: Error) => error.message));
  await until('some to be stored', () => acknowledged.length > 10);
  assert.equal(await service.restart(), true, 'everything was answered');
  await Promise.all(ends);
  for (const [turn, value] of acknowledged.entries()) {
    const found = await search(turn, reader, value);
    assert.equal((JSON.parse(found.text) as SearchReply).indicators.length, 1, value);
  }
});

test('the death of one of the threads is the end of the service', async () => {
  const thread = workers.findLast(({ threadName }) => threadName === 'http');
  assert.ok(thread);
  await thread.terminate();
  assert.equal((await service.failed).message, 'a http thread ended with code 1');
});
