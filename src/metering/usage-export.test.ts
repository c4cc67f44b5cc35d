// The export of usage to a real HTTP server that fails now and then.

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { openTemporaryUsage, type TemporaryUsage } from '../store/contract/temporary-store.test-support.ts';
import type { UsageStore } from '../store/usage.ts';
import { type ExportFailure, type ExportParts, exportUsage } from './usage-export.ts';

const NOW = Date.UTC(2026, 10, 20, 10, 30);
const SOURCE = 'https://intel.example.org';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
}

/** The batches that the sink received, and its answers: a status, or none. */
let received: Received[] = [];
let answers: (number | 'hang up' | 'say nothing')[] = [];
const server = createServer((request, response) => void sink(request, response));
let url: string;

let opened: TemporaryUsage;
let usage: UsageStore;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

describe('the export of usage', () => {
  beforeEach(async () => {
    received = [];
    answers = [];
    opened = await openTemporaryUsage();
    usage = opened.usage;
  });
  afterEach(() => opened.dispose());

  test('a batch is an array of CloudEvents with the token, and is settled', async () => {
    await record('k1', 3, 40);
    await record('k2', 1, 0);
    const { pauses, failures } = await run({ token: 'secret', rounds: 1 });
    assert.equal(received.length, 1);
    const [{ headers, events }] = received as [Received];
    assert.equal(headers['content-type'], 'application/cloudevents-batch+json; charset=utf-8');
    assert.equal(headers.authorization, 'Bearer secret');
    assert.match(events[0]?.id ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      events.map(({ id: _, ...event }) => event),
      [
        { keyId: 'k1', searches: 3, returned: 40 },
        { keyId: 'k2', searches: 1, returned: 0 },
      ].map((data) => ({
        specversion: '1.0',
        type: 'indicators.search',
        source: SOURCE,
        subject: 'plant-7',
        time: '2026-11-20T10:30:00.000Z',
        datacontenttype: 'application/json',
        data,
      })),
    );
    assert.deepEqual(await usage.outbox(), { events: 0, searches: 0, lookups: 0 });
    assert.deepEqual([pauses, failures], [[1_000], []]);
  });

  test('lookups are events of their own, each with an id of its own', async () => {
    await usage.record([{ ...use('k1', 3, 40), lookups: 900, lookupRequests: 2 }], true);
    await usage.record([{ ...use('k2', 0, 0), lookups: 5, lookupRequests: 1 }], true);
    await run({ rounds: 1 });
    const events = received.flatMap((batch) => batch.events);
    assert.deepEqual(
      events.map(({ type, data }) => [type, data]),
      [
        ['indicators.search', { keyId: 'k1', searches: 3, returned: 40 }],
        ['indicators.lookup', { keyId: 'k1', lookups: 900, requests: 2 }],
        ['indicators.lookup', { keyId: 'k2', lookups: 5, requests: 1 }],
      ],
    );
    assert.equal(new Set(events.map(({ id }) => id)).size, 3);
  });

  test('a sink that fails gets the same events again, later each time, until it takes them', async () => {
    answers = [503, 'hang up', 404, 302, 200];
    await record('k1', 1, 1);
    const { pauses, failures } = await run({ rounds: 5 });
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 1_000]);
    assert.equal(received.length, 5);
    assert.equal(failures.length, 4);
    assert.equal(new Set(received.map(({ events }) => JSON.stringify(events))).size, 1);
    assert.equal(received[0]?.headers.authorization, undefined);
    for (const { outbox, retryInMs } of failures) {
      assert.deepEqual(outbox, { events: 1, searches: 1, lookups: 0, oldestAt: NOW });
      assert.ok(pauses.includes(retryInMs));
    }
    assert.match(String(failures[0]?.error), /503/);
    assert.deepEqual(await usage.outbox(), { events: 0, searches: 0, lookups: 0 });
  });

  test('a sink that does not answer in time fails, and gets the events again', async () => {
    answers = ['say nothing'];
    await record('k1', 1, 1);
    const { pauses, failures } = await run({ rounds: 1, timeoutMs: 50 });
    assert.deepEqual(pauses, [1_000]);
    assert.deepEqual(
      failures.map(({ error }) => (error as Error).name),
      ['TimeoutError'],
    );
    assert.deepEqual(await usage.outbox(), { events: 1, searches: 1, lookups: 0, oldestAt: NOW });
    answers = [];
    await run({ rounds: 1 });
    assert.deepEqual(await usage.outbox(), { events: 0, searches: 0, lookups: 0 });
  });

  test('pauses grow to five minutes, and begin anew after a success', async () => {
    answers = [...Array<number>(10).fill(500), 200, 500, 200];
    await record('k1', 1, 1);
    const { pauses } = await run({
      rounds: 13,
      onPause: (round) => (round === 11 ? record('k1', 1, 1) : undefined),
    });
    assert.deepEqual(
      pauses.map((ms) => ms / 1_000),
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 1, 1, 1],
    );
  });

  test('what is used while the sink is away arrives in the end, each search once', async () => {
    answers = [500, 200, 500, 'hang up', 200, 200];
    const { pauses } = await run({ rounds: 8, onPause: () => record('k1', 2, 1) });
    assert.equal(pauses.length, 8);
    await run({ rounds: 1 });
    const events = new Map(received.flatMap((batch) => batch.events.map((event) => [event.id, event.data])));
    // Eight times two: an event that was sent twice has the same id and data.
    assert.equal(
      [...events.values()].reduce((sum, data) => sum + Number(data.searches), 0),
      16,
    );
  });

  test('many events go in batches of a hundred, without a pause between', async () => {
    await usage.record(
      Array.from({ length: 250 }, (_, index) => use(`k${index}`, 1, 1)),
      true,
    );
    const { pauses } = await run({ rounds: 1 });
    assert.deepEqual(
      received.map(({ events }) => events.length),
      [100, 100, 50],
    );
    assert.deepEqual(pauses, [1_000]);
  });
});

/** Runs the export until it has paused `rounds` times. */
async function run(given: {
  rounds: number;
  token?: string;
  timeoutMs?: number;
  onPause?: (round: number) => Promise<void> | undefined;
}): Promise<{ pauses: number[]; failures: ExportFailure[] }> {
  const pauses: number[] = [];
  const failures: ExportFailure[] = [];
  const stop = new AbortController();
  const parts: ExportParts = {
    usage,
    sink: { url, source: SOURCE, ...(given.token === undefined ? {} : { token: given.token }) },
    onFailure: (failure) => failures.push(failure),
    pause: async (ms) => {
      const round = pauses.push(ms);
      await given.onPause?.(round);
      if (round === given.rounds) stop.abort();
    },
    ...(given.timeoutMs === undefined ? {} : { timeoutMs: given.timeoutMs }),
  };
  await exportUsage(parts, stop.signal);
  return { pauses, failures };
}

function use(credential: string, searches: number, returned: number) {
  return { account: 'plant-7', credential, at: NOW, searches, returned, lookups: 0, lookupRequests: 0 };
}

function record(credential: string, searches: number, returned: number): Promise<void> {
  return usage.record([use(credential, searches, returned)], true);
}

async function sink(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  received.push({ headers: request.headers, events: JSON.parse(Buffer.concat(body).toString()) });
  const answer = answers.shift() ?? 200;
  if (answer === 'hang up') response.destroy();
  else if (answer !== 'say nothing') response.writeHead(answer, { location: '/elsewhere' }).end();
}
