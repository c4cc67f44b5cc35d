// Metering as operators meet it: the export to a billing system, the commands, the last use of keys, leaked keys.

import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { tis } from '../support/command-line.ts';
import { endOfAccess } from '../support/end-of-access.ts';
import { RunningService } from '../support/running-service.ts';
import { until } from '../support/until.ts';

interface CloudEvent {
  readonly id: string;
  readonly subject: string;
  readonly data: { readonly keyId: string; readonly searches: number };
}

test('a billing system that is away at first is told of every search once', async () => {
  const events = new Map<string, CloudEvent>();
  let refusals = 0;
  const sink = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    assert.equal(request.headers.authorization, 'Bearer billing-token');
    const batch = JSON.parse(Buffer.concat(body).toString()) as CloudEvent[];
    // Taken, but the answer says no: it comes again under the same id.
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

test('tis usage and tis audit print what happened, for people and for programs', async () => {
  const service = await RunningService.start();
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await tis([...words, '--data-dir', service.dataDir]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  try {
    const reader = service.as(await service.key({ name: 'siem' }));
    const plant = service.as(await service.key({ name: 'plc', account: 'plant-7' }));
    const started = Date.now();
    for (const client of [reader, reader, plant]) await client.search();

    const all = JSON.parse(await run('usage', '--json'));
    assert.equal(all.searchCount, 3);
    // By month, and one may have ended meanwhile.
    const searches = new Map<string, number>();
    for (const { account, searchCount } of all.records) {
      searches.set(account, (searches.get(account) ?? 0) + searchCount);
    }
    assert.deepEqual([...searches].sort(), [
      ['default', 2],
      ['plant-7', 1],
    ]);
    const { keyId } = all.records.find(({ account }: { account: string }) => account === 'plant-7');
    const day = new Date(started).toISOString().slice(0, 10);
    const one = JSON.parse(await run('usage', '--bucket', 'day', '--from', day, '--key', keyId, '--json'));
    assert.equal(one.searchCount, 1);
    assert.equal(JSON.parse(await run('usage', '--account', 'plant-7', '--json')).searchCount, 1);
    assert.equal(JSON.parse(await run('usage', '--to', '2026-01-01', '--json')).searchCount, 0);
    assert.match(
      await run('usage'),
      /^from +to +account +key +searches +returned\n.*\n3 searches, 0 indicators/s,
    );

    const [newest] = JSON.parse(await run('audit', '--limit', '1', '--json'));
    assert.deepEqual([newest.actor, newest.action, newest.detail.name], ['cli', 'key.create', 'plc']);
    assert.match(await run('audit'), /key\.create .* name=plc account=plant-7/);

    // No search waits for this to be noted.
    const lastUses = await until('the last use of both keys', async () => {
      const keys: { lastUsedAt?: string }[] = JSON.parse(await run('keys', 'list', '--json'));
      const known = keys.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
      return known.length === 2 && known;
    });
    for (const lastUsedAt of lastUses) assert.ok(Date.parse(lastUsedAt) >= started, lastUsedAt);
  } finally {
    await service.dispose();
  }
});

test('a wrong flag of tis usage or tis audit ends with a line that says why', async () => {
  for (const words of [
    ['usage', '--from', 'yesterday'],
    ['usage', '--to', '2026-02-30'],
    ['usage', '--bucket', 'week'],
    ['audit', '--limit', '0'],
    ['audit', '--limit', 'all'],
  ]) {
    const { code, stdout, stderr } = await tis(words);
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.ok(stderr.includes(words.at(-1) ?? ''), stderr);
  }
});

test('a key that a signed report names is refused from then on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tis-leak-'));
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  const list = join(folder, 'keys.json');
  await writeFile(
    list,
    JSON.stringify({ public_keys: [{ key_identifier: 'k', key: pem, is_current: true }] }),
  );
  const service = await RunningService.start({ TIS_SECRET_SCANNING_KEYS: list });
  try {
    const key = await service.key();
    assert.equal((await service.as(key).send('/v1/indicators/search', { method: 'POST' })).status, 200);
    const body = JSON.stringify([
      { token: key, type: 'tis_api_key', url: 'https://git.example.com/x', source: 'commit' },
    ]);
    const answer = await service.as().send('/v1/apiKeys:reportLeaked', {
      method: 'POST',
      headers: {
        'github-public-key-identifier': 'k',
        'github-public-key-signature': sign('sha256', Buffer.from(body), privateKey).toString('base64'),
      },
      body,
    });
    assert.equal(answer.expect<{ label: string }[]>(200)[0]?.label, 'true_positive');
    assert.ok(!answer.text.includes(key));
    // As any revocation: within a second.
    const deadline = Date.now() + 1_000;
    const { lastLetIn } = await endOfAccess(
      async () => (await service.as(key).send('/v1/indicators/search', { method: 'POST' })).status !== 401,
    );
    assert.ok(lastLetIn <= deadline, `let in ${lastLetIn - deadline} ms late`);
  } finally {
    await service.dispose();
    await rm(folder, { recursive: true });
  }
});
