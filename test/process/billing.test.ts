// Usage records: exact in normal use. Across kill -9 at least the answered searches are billed, and at most those and
// the ones in flight. For more rounds: BILLING_KILLS=10 node --test test/process/billing.test.ts

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve, tis } from '../support/command-line.ts';
import { RunningService } from '../support/running-service.ts';
import { startSearchLoad } from '../support/search-load.ts';
import { events } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

const SEARCH = '/v1/indicators/search';
const KILLS = Number(process.env.BILLING_KILLS ?? 3);
const CLIENTS = 8;

interface UsageReply {
  readonly records: readonly { readonly searchCount: string; readonly returnedCount: string }[];
}

interface UsageReport {
  readonly records: readonly { readonly keyId: string; readonly searchCount: number }[];
  readonly searchCount: number;
  readonly returnedCount: number;
}

interface CloudEvent {
  readonly id: string;
  readonly subject: string;
  readonly data: { readonly keyId: string; readonly searches: number };
}

test('in a mixed run the bill is the number of pages answered with 200', async () => {
  const burst = 60;
  const service = await RunningService.start({
    TIS_RATE_LIMIT_PER_MINUTE: '1',
    TIS_RATE_LIMIT_BURST: `${burst}`,
  });
  try {
    const writer = service.as(await service.key({ sensor: true }));
    await writer.ingest(events(5));
    await service.settled();
    const clients = {
      reader: service.as(await service.key()),
      other: service.as(await service.key()),
      person: service.as(service.token('indicators:read')),
      scopeless: service.as(service.token('')),
      nobody: service.as(),
      guesser: service.as(`tis_${'0'.repeat(49)}`),
    };
    const page = { method: 'POST', body: { page_size: 3 } };
    const requests: (() => Promise<{ status: number; text: string; search: boolean }>)[] = [];
    const add = (times: number, client: keyof typeof clients, path: string, parts: object) => {
      for (let time = 0; time < times; time++) {
        requests.push(async () => {
          const { status, text } = await clients[client].send(path, parts);
          return { status, text, search: path === SEARCH };
        });
      }
    };
    add(20, 'reader', SEARCH, page);
    add(90, 'other', SEARCH, page);
    add(15, 'person', SEARCH, page);
    add(5, 'reader', SEARCH, { method: 'POST', body: { filter: { types: ['NO_SUCH'] } } });
    add(5, 'reader', SEARCH, { method: 'POST', body: { pagination: { pageToken: 'x' } } });
    add(5, 'reader', '/v1/indicators/00000000-0000-4000-8000-000000000000', {});
    add(3, 'reader', '/v1/indicators/nothing', {});
    add(5, 'reader', SEARCH, { method: 'DELETE' });
    add(5, 'scopeless', SEARCH, page);
    add(5, 'nobody', SEARCH, page);
    add(5, 'guesser', SEARCH, page);
    // All requests at the same time and mixed: steps by a prime visit every index.
    const mixed = requests.map((_, index) => requests[(index * 7_919) % requests.length]);
    const answers = await Promise.all(mixed.map((request) => request!()));

    const statuses = new Map<number, number>();
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    assert.deepEqual([...statuses.keys()].sort(), [200, 400, 401, 403, 404, 405, 429]);
    const pages = answers.filter(({ status, search }) => search && status === 200);
    const returned = pages.reduce((sum, { text }) => sum + JSON.parse(text).indicators.length, 0);

    const accountant = service.as(await service.key({ scopes: ['usage:read'] }));
    const { records } = (await accountant.send('/v1/usage?bucket=USAGE_BUCKET_MONTH')).expect<UsageReply>(
      200,
    );
    assert.equal(sumOf(records, 'searchCount'), pages.length);
    assert.equal(sumOf(records, 'returnedCount'), returned);
    const person = encodeURIComponent(`${service.provider.issuer}|ann`);
    const own = (await accountant.send(`/v1/usage?keyId=${person}`)).expect<UsageReply>(200);
    assert.equal(sumOf(own.records, 'searchCount'), 15);
  } finally {
    await service.dispose();
  }
});

test(`across ${KILLS} kills, answered <= billed <= answered + in flight`, {
  timeout: KILLS * 120_000,
}, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tis-billing-'));
  const wide = { env: { TIS_RATE_LIMIT_PER_MINUTE: '60000000', TIS_RATE_LIMIT_BURST: '10000000' } };
  try {
    const created = await tis(['keys', 'create', '--name', 'load', '--data-dir', dataDir, '--json']);
    const { key } = JSON.parse(created.stdout) as { key: string };
    let billedBefore = 0;
    for (let round = 1; round <= KILLS; round++) {
      const { process: served, url } = await serve(dataDir, wide);
      const load = startSearchLoad(url, key, CLIENTS);
      await load.reached(1 + Math.floor(Math.random() * 400)).finally(() => served.kill('SIGKILL'));
      await load.ended;
      const { sent, answered } = load.count;
      const billed = (await billing(dataDir)).searchCount - billedBefore;
      billedBefore += billed;
      t.diagnostic(`round ${round}: answered ${answered}, billed ${billed}, in flight ${sent - answered}`);
      assert.ok(answered <= billed, `${answered} answered, but ${billed} billed`);
      assert.ok(
        billed <= sent,
        `${billed} billed, but ${answered} answered and ${sent - answered} in flight`,
      );
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('a billing system that is away at first is told of every search once', async () => {
  const events = new Map<string, CloudEvent>();
  let refusals = 0;
  const sink = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    assert.equal(request.headers.authorization, 'Bearer billing-token');
    const batch = JSON.parse(Buffer.concat(body).toString()) as CloudEvent[];
    // The sink stores the batch but answers 503, so the batch is sent again with the same ids.
    for (const event of batch) events.set(event.id, event);
    const refused = refusals < 2;
    if (refused) refusals += 1;
    response.writeHead(refused ? 503 : 204).end();
  });
  sink.listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const service = await RunningService.start({
    TIS_USAGE_SINK_URL: `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`,
    TIS_USAGE_SINK_TOKEN: 'billing-token',
    TIS_LOG_LEVEL: 'silent',
  });
  try {
    const reader = service.as(await service.key({ account: 'plant-7' }));
    for (let page = 0; page < 7; page++) await reader.search();
    const told = () => [...events.values()].reduce((sum, { data }) => sum + data.searches, 0);
    await until('all seven searches', () => told() === 7 && refusals === 2, 60_000);
    for (const { subject } of events.values()) assert.equal(subject, 'plant-7');
  } finally {
    await service.dispose();
    sink.closeAllConnections();
    sink.close();
  }
});

async function billing(dataDir: string): Promise<UsageReport> {
  const { stdout, stderr, code } = await tis(['usage', '--data-dir', dataDir, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

function sumOf(records: UsageReply['records'], member: 'searchCount' | 'returnedCount'): number {
  return records.reduce((sum, record) => sum + Number(record[member]), 0);
}
