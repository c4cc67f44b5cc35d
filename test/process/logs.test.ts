// The log of a busy run at level trace: one JSON object a line, without secrets or personal data.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve, tis } from '../support/command-line.ts';
import { RestClient, send } from '../support/http-client.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { exchange } from '../support/raw-socket.ts';
import { anEvent, events } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

interface Line {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly reqId?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly keyId?: string;
}

test('a busy run', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tis-logs-'));
  const provider = await startIdentityProvider();
  t.after(async () => {
    await provider.close();
    rmSync(dataDir, { recursive: true });
  });
  const issued = async (...words: string[]) =>
    JSON.parse(
      (await tis(['keys', 'create', '--name', 'log', ...words, '--json', '--data-dir', dataDir])).stdout,
    );
  const [{ id, key }, { key: sensorKey }] = [await issued('--scope', 'admin'), await issued('--sensor')];
  const { process: served, url } = await serve(dataDir, {
    env: {
      TIS_LOG_LEVEL: 'trace',
      TIS_JWT_ISSUER: provider.issuer,
      TIS_JWT_AUDIENCE: provider.audience,
      TIS_JWT_JWKS_URL: provider.jwksUrl,
      // No server listens at this address, so the log gets an error with an address in it.
      TIS_USAGE_SINK: 'http://127.0.0.1:9/usage',
    },
  });
  const token = provider.token({ scope: 'indicators:read indicators:verify' });
  const forged = provider.forgedToken();
  const unknownKey = key.replace(/.$/, (last: string) => (last === 'a' ? 'b' : 'a'));
  const client = new RestClient(url, key);
  const port = Number(new URL(url).port);

  const { results } = await new RestClient(url, sensorKey).ingest([
    anEvent({ tags: ['hidden-tag'] }),
    ...events(50),
  ]);
  const indicator = results[0]?.indicatorId ?? '';
  await until('enrichment', async () => (await client.get(indicator)).state === 'INDICATOR_STATE_ENRICHED');
  await client.send('/v1/indicators/search', {
    method: 'POST',
    body: { query: 'hidden-query' },
    headers: { 'x-request-id': 'mine' },
  });
  await new RestClient(url, token).send(`/v1/indicators/${indicator}:verify`, {
    method: 'POST',
    body: { note: 'hidden-note' },
  });
  for (const credential of [key, sensorKey, token, forged, unknownKey, undefined]) {
    const stranger = new RestClient(url, credential);
    await stranger.send(`/v1/indicators/${indicator}?key=${key}&token=${token}&q=hidden-query`);
    await stranger.send(`/v1/indicators/${credential}`);
    await stranger.send(`/${credential}`, { method: 'POST', body: { credential } });
    await stranger.send('/v1/indicators/search', { method: 'POST', body: `{"query":"${credential}` });
    await stranger.send('/v1/indicators/search', {
      method: 'POST',
      body: { pagination: { pageToken: credential } },
    });
    await stranger.send('/v1/sensorEvents:ingest', {
      method: 'POST',
      body: { events: [{ eventId: credential }] },
    });
    await stranger.send(`/taxii2/collections/${credential}/objects/?next=${credential}`);
  }
  const basic = Buffer.from(`api:${key}`).toString('base64');
  for (const authorization of [`Basic ${basic}`, `Token ${key}`, `Bearer  ${key}`, `Digest ${key}`, key]) {
    await send(`${url}/taxii2/collections/`, { headers: { authorization } });
    await send(`${url}/v1/indicators/${indicator}`, { headers: { authorization } });
  }
  await exchange(port, `GET /${key} HTTP/9\r\n\r\n`);
  await exchange(port, `GET / HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  const { code, stdout, stderr } = await served.kill('SIGTERM');
  assert.equal(code, 0);

  const signatures = [token, forged].map((text) => text.split('.')[2] ?? '');
  const payloads = [token, forged].map((text) => text.split('.')[1] ?? '');
  const secrets = [key, sensorKey, unknownKey, basic, ...signatures, ...payloads];
  for (const secret of [...secrets, 'hidden-', 'authorization', 'Bearer ']) {
    assert.ok(!(stdout + stderr).includes(secret), `${secret.slice(0, 12)}… is in the log`);
  }

  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line));
  assert.ok(lines.every(({ level, time }) => level >= 10 && level <= 60 && time > 1.7e12));
  const requests = lines.filter(({ msg }) => msg === 'request');
  assert.ok(requests.length > 50);
  for (const { reqId, method, route, status, durationMs } of requests) {
    assert.ok(reqId !== undefined && method !== undefined && route !== undefined);
    assert.ok((status ?? 0) >= 200 && (durationMs ?? -1) >= 0);
  }
  const mine = requests.find(({ reqId }) => reqId === 'mine');
  assert.deepEqual(
    { keyId: mine?.keyId, route: mine?.route, status: mine?.status },
    { keyId: id, route: '/v1/indicators/search', status: 200 },
  );
  assert.deepEqual(
    requests.filter(({ status }) => (status ?? 0) >= 500),
    [],
  );
});
