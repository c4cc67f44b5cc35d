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

interface MadeKey {
  readonly apiKey: {
    readonly id: string;
    readonly expiresAt?: string;
    readonly sourceRanges: readonly string[];
    readonly parentId: string;
    readonly createdBy: string;
  };
  readonly plaintext: string;
}

describe('a key that makes keys', { concurrency: true }, () => {
  const MANAGER = { scopes: ['keys:manage', 'indicators:read', 'events:write'] };

  const post = (credential: string, path = '', body: object = {}) =>
    send(`${service.url}/v1/apiKeys${path}`, { method: 'POST', credential, body });

  const make = async (credential: string, fields: object = {}): Promise<MadeKey> =>
    (await post(credential, '', { name: 'made', ...fields })).expect(200);

  /** The reason of a refusal. */
  const refusal = async (asked: ReturnType<typeof post>): Promise<unknown> => {
    const { status, text } = await asked;
    return [status, status === 200 ? text : JSON.parse(text).details[0].reason];
  };

  const endsWith = async (credential: string, id: string): Promise<string[]> => {
    const answer = await send(`${service.url}/v1/apiKeys?endsWithId=${id}`, { credential });
    return answer.expect<{ apiKeys: { id: string }[] }>(200).apiKeys.map((key) => key.id);
  };

  it('hands on its end and its addresses, and nothing wider', async () => {
    const soon = new Date(Date.now() + 600_000).toISOString();
    const words = [
      '--expires',
      soon,
      '--range',
      '127.0.0.0/8',
      '--scope',
      'keys:manage',
      '--tlp-ceiling',
      'GREEN',
    ];
    const root = await keys('create', '--name', 'short', ...words, '--scope', 'indicators:read');
    const end = Date.parse(soon);

    const child = await make(root.key);
    assert.equal(Date.parse(child.apiKey.expiresAt ?? ''), end);
    assert.deepEqual(child.apiKey.sourceRanges, ['127.0.0.0/8']);
    assert.deepEqual([child.apiKey.parentId, child.apiKey.createdBy], [root.id, root.id]);
    assert.equal(await status(child.plaintext), LET_IN);
    const headers = { 'x-forwarded-for': ELSEWHERE };
    assert.equal((await send(service.url + GET, { credential: child.plaintext, headers })).status, 401);

    for (const [wider, reason] of [
      [{ expiresAt: new Date(end + 1_000).toISOString() }, 'END_BEYOND_ISSUER'],
      [{ sourceRanges: ['127.0.0.1', '0.0.0.0/0'] }, 'RANGES_BEYOND_ISSUER'],
      [{ sourceRanges: ['::/0'] }, 'RANGES_BEYOND_ISSUER'],
      [{ scopes: ['admin'] }, 'SCOPE_BEYOND_ISSUER'],
      [{ tlpCeiling: 'TLP_MARKING_RED' }, 'CEILING_BEYOND_ISSUER'],
      [{ reliability: 0.9 }, 'RELIABILITY_BEYOND_ISSUER'],
    ] as const) {
      assert.deepEqual(await refusal(post(root.key, '', { name: 'wider', ...wider })), [403, reason]);
    }
    const narrower = await make(root.key, {
      sourceRanges: ['127.0.0.1'],
      expiresAt: new Date(end - 1).toISOString(),
    });
    assert.deepEqual(narrower.apiKey.sourceRanges, ['127.0.0.1/32']);

    const successor: MadeKey = (await post(root.key, `/${root.id}:rotate`, { overlapSeconds: 60 })).expect(
      200,
    );
    assert.equal(Date.parse(successor.apiKey.expiresAt ?? ''), end, 'nobody prolongs their own life');
    assert.deepEqual(successor.apiKey.sourceRanges, ['127.0.0.0/8']);
  });

  it('takes everything that was made with it along when it is revoked', async () => {
    const root = await keys(
      'create',
      '--name',
      'root',
      ...MANAGER.scopes.flatMap((scope) => ['--scope', scope]),
    );
    const child = await make(root.key, MANAGER);
    const grandchild = await make(child.plaintext, { sensor: true });
    const successor: MadeKey = (await post(root.key, `/${root.id}:rotate`)).expect(200);
    const late = await make(successor.plaintext);
    const stranger = await service.key();
    const family = [child, grandchild, successor, late];

    const others = family.map(({ apiKey }) => apiKey.id).toSorted();
    const admin = await service.key({ scopes: ['admin'] });
    const listed = await endsWith(admin, root.id);
    assert.deepEqual([listed[0], listed.slice(1).toSorted()], [root.id, others]);
    const preview = await tis(['keys', 'revoke', root.id, '--dry-run', '--data-dir', service.dataDir]);
    for (const id of others)
      assert.match(preview.stdout, new RegExp(`^${id} \\(made|root\\) would be revoked$`, 'm'));
    assert.equal(await status(late.plaintext), LET_IN);

    const revoked = await tis(['keys', 'revoke', root.id, '--data-dir', service.dataDir]);
    const deadline = Date.now() + WITHIN_MS;
    assert.equal(revoked.code, 0, revoked.stderr);
    assert.match(revoked.stderr, /^4 other keys end with .*\n(?: {2}\S+ \(\w+\)\n){4}$/);
    assert.equal(revoked.stdout, `${root.id} (root) is revoked\n`);
    const texts = [root.key, ...family.map(({ plaintext }) => plaintext)];
    for (const text of texts) {
      const { lastLetIn } = await endOfAccess(async () => (await status(text)) !== 401);
      assert.ok(lastLetIn <= deadline, `let in ${lastLetIn - deadline} ms late`);
    }
    assert.equal(await status(stranger), LET_IN);
    const { stdout } = await tis(['audit', '--json', '--limit', '1000', '--data-dir', service.dataDir]);
    const entries: { action: string; target: string; detail: Record<string, string> }[] = JSON.parse(stdout);
    const ended = entries.filter(
      ({ action, detail }) => action === 'key.revoke' && detail.because?.includes(root.id),
    );
    assert.deepEqual(ended.map(({ target }) => target).toSorted(), others);
  });

  it('takes its children along when it leaks', async () => {
    const root = await service.key(MANAGER);
    const child = await make(root);
    const body = JSON.stringify([{ token: root, type: 'tis_api_key', url: '', source: '' }]);
    const signature = signBytes('sha256', Buffer.from(body), scanner.privateKey).toString('base64');
    const headers = { 'github-public-key-identifier': 'k', 'github-public-key-signature': signature };
    (await send(`${service.url}/v1/apiKeys:reportLeaked`, { method: 'POST', headers, body })).expect(200);
    const deadline = Date.now() + WITHIN_MS;
    const { lastLetIn } = await endOfAccess(() => isLetIn(child.plaintext));
    assert.ok(lastLetIn <= deadline, `let in ${lastLetIn - deadline} ms late`);
  });

  it('can be a person, whose keys have an end', async () => {
    const token = service.token('admin', { exp: Math.floor(Date.now() / 1_000) + 60 });
    const before = Date.now();
    const { apiKey } = await make(token, { scopes: ['admin'] });
    const days = (Date.parse(apiKey.expiresAt ?? '') - before) / 86_400_000;
    assert.ok(days > 89 && days < 91, `${days} days`);
    assert.match(apiKey.createdBy, /^http.*\|ann$/);
    for (const expiresAt of ['2999-01-01T00:00:00Z', new Date(before + 367 * 86_400_000).toISOString()]) {
      const wish = { name: 'endless', scopes: ['admin'], expiresAt };
      assert.deepEqual(await refusal(post(token, '', wish)), [403, 'END_BEYOND_ISSUER']);
    }
    const [reader, manager] = [
      service.token('indicators:read'),
      service.token('keys:manage indicators:read'),
    ];
    assert.deepEqual(await refusal(post(reader, '', { name: 'x' })), [403, 'INSUFFICIENT_SCOPE']);
    assert.deepEqual(await refusal(post(manager, '', { name: 'x', scopes: ['admin'] })), [
      403,
      'SCOPE_BEYOND_ISSUER',
    ]);
  });

  it('does not get the identity of another key by rotating it', async () => {
    const plant = await keys('create', '--name', 'plant-7', '--sensor', '--reliability', '0.7');
    const manager = await service.key(MANAGER);
    const child = await make(manager, { sensor: true });
    const sibling = await make(manager, MANAGER);
    for (const [id, by] of [
      [plant.id, manager],
      [child.apiKey.id, sibling.plaintext],
    ] as const) {
      assert.deepEqual(await refusal(post(by, `/${id}:rotate`)), [403, 'IDENTITY_BEYOND_ISSUER']);
    }
    // Who made the key, directly or not, knows it anyway.
    const grandchild = await make(sibling.plaintext, { sensor: true });
    for (const { apiKey } of [child, grandchild]) {
      (await post(manager, `/${apiKey.id}:rotate`)).expect(200);
    }
    (await post(await service.key({ scopes: ['admin'] }), `/${plant.id}:rotate`)).expect(200);
  });

  it('neither rotates nor revokes what can do more than it can', async () => {
    const weak = await service.key({ scopes: ['keys:manage'], reliability: 0.5, tlpCeiling: 'GREEN' });
    const strong = [
      ['admin', '--scope', 'admin', '--reliability', '0.5', '--tlp-ceiling', 'GREEN'],
      ['sensor', '--sensor', '--reliability', '0.5', '--tlp-ceiling', 'GREEN'],
      ['ceiling', '--scope', 'keys:manage', '--reliability', '0.5', '--tlp-ceiling', 'RED'],
      ['reliability', '--scope', 'keys:manage', '--tlp-ceiling', 'GREEN'],
    ];
    for (const [name = '', ...words] of strong) {
      const { id } = await keys('create', '--name', name, ...words);
      for (const act of ['rotate', 'revoke']) {
        const { status, text } = await post(weak, `/${id}:${act}`);
        assert.equal(status, 403, `${act} ${name}: ${text}`);
        assert.match(text, /BEYOND_ISSUER/);
      }
    }
    const { stdout } = await tis(['keys', 'list', '--json', '--data-dir', service.dataDir]);
    const listed: { name: string; revokedAt?: string }[] = JSON.parse(stdout);
    for (const [name] of strong) assert.equal(listed.find((key) => key.name === name)?.revokedAt, undefined);
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
