// The life of a credential while it is in use: revocation under load, rotation with overlap, expiry, source ranges, and
// the change of an identity provider's keys. Commands are processes of their own, beside the running service.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import {
  ecKey,
  keySet,
  signToken,
  startServer,
  type TestKey,
} from '../../src/gateway/local-issuer.test-fixture.ts';
import { tis } from '../support/command-line.ts';
import { send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { until } from '../support/until.ts';
import type { RpcStatus } from '../support/wire.ts';

const GET = '/v1/indicators/6f9619ff-8b86-4011-b42d-00c04fc964ff';
/** What a valid credential gets: the indicator is not there. */
const LET_IN = 404;
const CONNECTIONS = 8;
const WITHIN_MS = 1_000;
/** Where the load comes from: its failures are not those of the other tests. */
const ELSEWHERE = '192.0.2.99';

let service: RunningService;
before(async () => {
  // The load here is about revocation.
  const limits = { TIS_RATE_LIMIT_PER_MINUTE: '60000000', TIS_RATE_LIMIT_BURST: '10000000' };
  service = await RunningService.start({ ...limits, TIS_TRUSTED_PROXIES: '127.0.0.1' });
});
after(() => service.dispose());

const status = async (credential: string): Promise<number> =>
  (await send(service.url + GET, { credential })).status;

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

/** Asks again and again over one connection each, until told to stop. Rejects when a connection is lost. */
function load(credential: string, stop: () => boolean): Promise<Exchange[][]> {
  return Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const exchanges: Exchange[] = [];
      const sockets = new Set<unknown>();
      while (!stop()) {
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
        exchanges.push({ sentAt, status });
      }
      agent.destroy();
      assert.equal(sockets.size, 1, 'the connection was not kept open');
      return exchanges;
    }),
  );
}

describe('a key', { concurrency: true }, () => {
  it('that is revoked under load is refused within a second, on connections that are open', async () => {
    const { id, key } = await keys('create', '--name', 'revoked');
    let revokedAt: number | undefined;
    const now = () => performance.now();
    const running = load(key, () => revokedAt !== undefined && now() > revokedAt + WITHIN_MS + 200);
    await until('an answer', async () => (await status(key)) === LET_IN);
    await keys('revoke', id);
    revokedAt = now();
    const exchanges = (await running).flat();
    const letIn = exchanges.filter((exchange) => exchange.status === LET_IN);
    const late = letIn.filter(({ sentAt }) => sentAt > (revokedAt ?? 0) + WITHIN_MS);
    assert.ok(letIn.length > 100, `${letIn.length} requests are no load`);
    assert.ok(exchanges.some((exchange) => exchange.status === 401));
    assert.deepEqual(late, []);
    assert.equal(await status(key), 401);
  });

  it('that is rotated works beside its successor until the overlap is over', async () => {
    const { id, key } = await keys('create', '--name', 'rotated');
    assert.equal(await status(key), LET_IN);
    const successor = await keys('rotate', id, '--overlap', '2s');
    assert.deepEqual([await status(key), await status(successor.key)], [LET_IN, LET_IN]);
    await until('the end of the overlap', async () => (await status(key)) === 401, 3_000);
    assert.equal(await status(successor.key), LET_IN);
  });

  it('that is rotated without overlap ends at once', async () => {
    const { id, key } = await keys('create', '--name', 'leaked');
    assert.equal(await status(key), LET_IN);
    const successor = await keys('rotate', id, '--overlap', '0s');
    await until('the end of the old key', async () => (await status(key)) === 401, WITHIN_MS);
    assert.equal(await status(successor.key), LET_IN);
  });

  it('ends at its expiry', async () => {
    const key = await service.key({ expiresAt: Date.now() + 700 });
    assert.equal(await status(key), LET_IN);
    await until('the expiry', async () => (await status(key)) === 401, 1_700);
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
      await until('the new key', async () => (await ask(next)) === LET_IN, 7_000);
      assert.equal(await ask(old), LET_IN);
      assert.ok(provider.requests.length <= 3, `${provider.requests.length} look-ups`);
    } finally {
      await own.dispose();
      await provider.close();
    }
  });

  it('ends at its expiry', async () => {
    const token = service.token('indicators:read', { exp: Math.floor(Date.now() / 1_000) + 2 });
    assert.equal(await status(token), LET_IN);
    await until('the expiry', async () => (await status(token)) === 401, 3_000);
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
