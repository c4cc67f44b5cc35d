// Credentials in use: revocation under load, rotation with overlap, expiry, leak reports, source ranges, and a new key
// of the identity provider. Commands run as processes beside the service.

import assert from 'node:assert/strict';
import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  ecKey,
  keySet,
  signToken,
  startServer,
  type TestKey,
} from '../../src/gateway/local-issuer.test-support.ts';
import { tis } from '../support/command-line.ts';
import { endOfAccess } from '../support/end-of-access.ts';
import { send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { until } from '../support/until.ts';
import type { RpcStatus } from '../support/wire.ts';

const GET = '/v1/indicators/6f9619ff-8b86-4011-b42d-00c04fc964ff';
/** The status for a valid credential: there is no such indicator. */
const LET_IN = 404;
const CONNECTIONS = 8;
/** A revocation takes effect within this time. */
const WITHIN_MS = 1_000;
/** The address of the load, so that its failures do not count for the other tests. */
const ELSEWHERE = '192.0.2.99';

/** The key pair of the service that reports leaked keys. */
const scanner = generateKeyPairSync('ec', { namedCurve: 'P-256' });

let service: RunningService;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tis-leak-'));
  const scannerKeys = join(folder, 'keys.json');
  const pem = scanner.publicKey.export({ type: 'spki', format: 'pem' });
  const listed = { public_keys: [{ key_identifier: 'k', key: pem, is_current: true }] };
  await writeFile(scannerKeys, JSON.stringify(listed));
  // The load here is about revocation, so no limit may stop it.
  const limits = { TIS_RATE_LIMIT_PER_MINUTE: '60000000', TIS_RATE_LIMIT_BURST: '10000000' };
  const settings = { TIS_TRUSTED_PROXIES: '127.0.0.1', TIS_SECRET_SCANNING_KEYS: scannerKeys };
  service = await RunningService.start({ ...limits, ...settings });
});
after(async () => {
  await service.dispose();
  await rm(folder, { recursive: true });
});

const status = async (credential: string): Promise<number> =>
  (await send(service.url + GET, { credential })).status;

/** Fails for any other status. */
async function isLetIn(credential: string): Promise<boolean> {
  const given = await status(credential);
  assert.ok(given === LET_IN || given === 401, `answered ${given}`);
  return given === LET_IN;
}

interface NewKey {
  readonly id: string;
  readonly key: string;
}

async function keys(...words: string[]): Promise<NewKey> {
  const { code, stdout, stderr } = await tis(['keys', ...words, '--data-dir', service.dataDir, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as NewKey;
}

interface Exchange {
  readonly sentAt: number;
  readonly status: number;
}

/** Sends requests over open connections while `goesOn` is true. Rejects when a connection is lost. */
async function load(credential: string, goesOn: (exchange: Exchange) => boolean): Promise<void> {
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const sockets = new Set<unknown>();
      for (;;) {
        const sentAt = performance.now();
        const status = await new Promise<number>((resolve, reject) => {
          const headers = { authorization: `Bearer ${credential}`, 'x-forwarded-for': ELSEWHERE };
          request(service.url + GET, { agent, headers }, (response) => {
            sockets.add(response.socket);
            response.resume().on('end', () => resolve(response.statusCode ?? 0));
          })
            .on('error', reject)
            .end();
        });
        if (!goesOn({ sentAt, status })) break;
      }
      agent.destroy();
      assert.equal(sockets.size, 1, 'the connection was not kept open');
    }),
  );
}

describe('a key', { concurrency: true }, () => {
  it('that is revoked under load is refused within a second, on connections that are open', async () => {
    const { id, key } = await keys('create', '--name', 'revoked');
    let deadline = Number.POSITIVE_INFINITY;
    let letIn = 0;
    let refused = 0;
    const late: number[] = [];
    const running = load(key, ({ sentAt, status }) => {
      if (status === LET_IN) letIn += 1;
      // Many failures from one address lead to 429.
      else if (status === 401) refused += 1;
      else assert.equal(status, 429);
      // Each connection sends one request after the deadline, however late.
      if (sentAt > deadline) late.push(status);
      return sentAt <= deadline;
    });
    await until('a load', () => letIn > 100);
    await keys('revoke', id);
    deadline = performance.now() + WITHIN_MS;
    await running;
    assert.equal(late.length, CONNECTIONS);
    assert.equal(late.includes(LET_IN), false);
    assert.ok(refused > 0);
  });

  it('that is rotated works beside its successor until the overlap is over', async () => {
    const { id, key } = await keys('create', '--name', 'rotated');
    assert.equal(await status(key), LET_IN);
    const earliest = Date.now() + 3_000;
    const successor = await keys('rotate', id, '--overlap', '3s');
    const latest = Date.now() + 3_000;
    assert.equal(await status(successor.key), LET_IN);
    const { lastLetIn, refusedBy } = await endOfAccess(() => isLetIn(key));
    assert.ok(refusedBy >= earliest, `refused ${earliest - refusedBy} ms early`);
    assert.ok(lastLetIn <= latest, `let in ${lastLetIn - latest} ms late`);
    assert.equal(await status(successor.key), LET_IN);
  });

  it('that is rotated without overlap ends at once', async () => {
    const { id, key } = await keys('create', '--name', 'leaked');
    assert.equal(await status(key), LET_IN);
    const successor = await keys('rotate', id, '--overlap', '0s');
    const deadline = Date.now() + WITHIN_MS;
    const { lastLetIn } = await endOfAccess(() => isLetIn(key));
    assert.ok(lastLetIn <= deadline, `let in ${lastLetIn - deadline} ms late`);
    assert.equal(await status(successor.key), LET_IN);
  });

  it('ends at its expiry', async () => {
    const expiresAt = Date.now() + 1_500;
    const key = await service.key({ expiresAt });
    const { lastLetIn, refusedBy } = await endOfAccess(() => isLetIn(key));
    assert.ok(refusedBy >= expiresAt, `refused ${expiresAt - refusedBy} ms early`);
    assert.ok(lastLetIn < expiresAt, `let in ${lastLetIn - expiresAt} ms late`);
  });

  it('that a signed report names is refused within a second', async () => {
    const key = await service.key();
    assert.equal(await status(key), LET_IN);
    const body = JSON.stringify([
      { token: key, type: 'tis_api_key', url: 'https://git.example.com/x', source: 'commit' },
    ]);
    const signature = signBytes('sha256', Buffer.from(body), scanner.privateKey).toString('base64');
    const answer = await send(`${service.url}/v1/apiKeys:reportLeaked`, {
      method: 'POST',
      headers: { 'github-public-key-identifier': 'k', 'github-public-key-signature': signature },
      body,
    });
    assert.equal(answer.expect<{ label: string }[]>(200)[0]?.label, 'true_positive');
    assert.ok(!answer.text.includes(key));
    const deadline = Date.now() + WITHIN_MS;
    const { lastLetIn } = await endOfAccess(() => isLetIn(key));
    assert.ok(lastLetIn <= deadline, `let in ${lastLetIn - deadline} ms late`);
  });

  it('works within its source ranges only', async () => {
    const ranges = (...words: string[]) =>
      keys('create', '--name', 'ranged', ...words.flatMap((range) => ['--range', range]));
    assert.equal(await status((await ranges('192.0.2.0/24', '127.0.0.0/8')).key), LET_IN);
    assert.equal(await status((await ranges('192.0.2.0/24', '::1/128')).key), 401);
  });
});

describe('an identity token', { concurrency: true }, () => {
  const claims = (issuer: string, lifetimeS = 60) => {
    const now = Math.floor(Date.now() / 1_000);
    return { iss: issuer, aud: 'tis', sub: 'ann', iat: now, exp: now + lifetimeS, scope: 'indicators:read' };
  };
  const sign = (key: TestKey, payload: object) =>
    signToken({ alg: key.alg, kid: key.kid, typ: 'at+jwt' }, payload, key.privateKey, key.alg);

  it('of a new key is accepted without a restart, those of the old key beside it', async () => {
    const [old, next] = [ecKey('2026-10'), ecKey('2026-11')];
    const provider = await startServer(keySet(old));
    const own = await RunningService.start({
      TIS_JWT_ISSUER: provider.url,
      TIS_JWT_AUDIENCE: 'tis',
      TIS_JWT_JWKS_URL: `${provider.url}/jwks.json`,
    });
    try {
      const ask = async (key: TestKey) =>
        (await send(own.url + GET, { credential: sign(key, claims(provider.url)) })).status;
      assert.equal(await ask(old), LET_IN);
      assert.equal(await ask(next), 401);
      provider.answer = keySet(old, next);
      // An unknown name causes one look-up in five seconds at most.
      await until('the new key', async () => (await ask(next)) === LET_IN, 60_000);
      assert.equal(await ask(old), LET_IN);
      assert.ok(provider.requests.length <= 3, `${provider.requests.length} look-ups`);
    } finally {
      await own.dispose();
      await provider.close();
    }
  });

  it('ends at its expiry', async () => {
    const exp = Math.floor(Date.now() / 1_000) + 2;
    const token = service.token('indicators:read', { exp });
    const { lastLetIn, refusedBy } = await endOfAccess(() => isLetIn(token));
    assert.ok(refusedBy >= exp * 1_000, `refused ${exp * 1_000 - refusedBy} ms early`);
    assert.ok(lastLetIn < exp * 1_000, `let in ${lastLetIn - exp * 1_000} ms late`);
  });

  it('is neither accepted nor refused while its provider is away', async () => {
    const away = await startServer(keySet(ecKey('unseen')));
    const own = await RunningService.start({
      TIS_LOG_LEVEL: 'fatal',
      TIS_JWT_ISSUER: away.url,
      TIS_JWT_AUDIENCE: 'tis',
      TIS_JWT_JWKS_URL: `${away.url}/jwks.json`,
    });
    try {
      await away.close();
      const answer = await send(own.url + GET, { credential: sign(ecKey('unseen'), claims(away.url)) });
      assert.equal(answer.expect<RpcStatus>(503).code, 14);
      assert.equal(answer.headers.get('retry-after'), '5');
      assert.equal((await send(own.url + GET, { credential: await own.key() })).status, LET_IN);
    } finally {
      await own.dispose();
    }
  });
});
