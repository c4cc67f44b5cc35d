// The operations on API keys over HTTP, on a real store: rights, listing, refusals and repeats.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { Caller } from '../../gateway/caller.ts';
import { createKeyCommands } from '../../gateway/key-commands.ts';
import { parseKey } from '../../gateway/key-format.ts';
import { NOW } from '../../store/contract/fixtures.ts';
import {
  openTemporaryStore,
  type TemporaryStore,
} from '../../store/contract/temporary-store.test-support.ts';
import { FIELDS, testServer } from '../rest-server.test-support.ts';

const DAY = 86_400_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const MANAGER: Caller = {
  credential: 'jwt',
  id: 'https://idp.example|ann',
  account: 'plant',
  actor: 'ann',
  name: 'ann',
  scopes: new Set(['keys:manage', 'indicators:read']),
  ceiling: 'AMBER',
  reliability: 0.6,
};

/** By token. A token that starts with `fresh` is the manager of an account of its own. */
const CALLERS: Readonly<Record<string, Caller>> = {
  manager: MANAGER,
  colleague: { ...MANAGER, id: 'https://idp.example|bob', actor: 'bob' },
  stranger: { ...MANAGER, account: 'other' },
  admin: { ...MANAGER, scopes: new Set(['admin']), ceiling: 'RED', reliability: 1 },
  reader: { ...MANAGER, scopes: new Set(['indicators:read']) },
  sensor: { ...MANAGER, credential: 'sensor-key', scopes: new Set(['keys:manage']) },
};

/** By the text of a key. */
const keyHolders = new Map<string, Caller>();

interface WireKey {
  readonly id: string;
  readonly name: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly lastUsedAt?: string;
}

let now = NOW;
let opened: TemporaryStore;
let app: FastifyInstance;
const lastUses = new Map<string, number>();

before(async () => {
  opened = await openTemporaryStore(() => now);
  const { stores } = opened;
  const noIndicators = () => Promise.reject(new Error('no test of indicators'));
  const commands = {
    ingest: () => Promise.reject(new Error('no test of events')),
    verify: noIndicators,
    dispute: noIndicators,
    withdraw: noIndicators,
    addNote: noIndicators,
    ...createKeyCommands(stores, () => now),
  };
  app = testServer({
    stores,
    commands,
    clock: () => now,
    usage: {
      report: async () => [],
      lastUses: async () => lastUses,
    },
    admit: async ({ authorization = '' }) => {
      const token = authorization.replace('Bearer ', '');
      const known = CALLERS[token] ?? keyHolders.get(token);
      const caller = token.startsWith('fresh') ? { ...MANAGER, account: token } : known;
      if (caller !== undefined) return { caller, fields: FIELDS };
      throw new ServiceError('unauthenticated', 'no', { reason: 'CREDENTIAL_INVALID' });
    },
  }).app;
});
after(() => opened.dispose());

async function call(method: 'GET' | 'POST', path: string, token = 'manager', body?: object) {
  const response = await app.inject({
    method,
    url: `/v1/apiKeys${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: response.statusCode, body: response.json() };
}

async function create(body: object = {}, token = 'manager'): Promise<{ apiKey: WireKey; plaintext: string }> {
  const answer = await call('POST', '', token, { name: 'siem', ...body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function list(token: string, query = ''): Promise<{ apiKeys: WireKey[]; nextPageToken: string }> {
  const { status, body } = await call('GET', query, token);
  assert.equal(status, 200);
  return body;
}

test('a new key is shown once, with all that may be known of it', async () => {
  const { apiKey, plaintext } = await create({
    scopes: ['indicators:read'],
    tlp_ceiling: 'TLP_MARKING_GREEN',
    reliability: 0.5,
    sourceRanges: ['192.0.2.7'],
    expiresAt: new Date(NOW + DAY).toISOString(),
  });
  assert.match(plaintext, /^tis_[0-9A-Za-z]{49}$/);
  assert.match(apiKey.id, UUID);
  assert.deepEqual(apiKey, {
    id: apiKey.id,
    name: 'siem',
    account: 'plant',
    sensor: false,
    scopes: ['indicators:read'],
    tlpCeiling: 'TLP_MARKING_GREEN',
    reliability: 0.5,
    sources: [],
    sourceRanges: ['192.0.2.7/32'],
    prefix: plaintext.slice(0, 8),
    lastFour: plaintext.slice(-4),
    createdAt: new Date(NOW).toISOString(),
    expiresAt: new Date(NOW + DAY).toISOString(),
    createdBy: MANAGER.id,
    parentId: '',
  });
  assert.equal((await opened.stores.keys.byHash(parseKey(plaintext)?.hash ?? ''))?.id, apiKey.id);
  const listed = await list('manager');
  assert.deepEqual(
    listed.apiKeys.find(({ id }) => id === apiKey.id),
    apiKey,
  );
  assert.ok(!JSON.stringify(listed).includes(plaintext));
});

test('no answer about keys may be kept by a cache', async () => {
  const answerOf = (method: 'GET' | 'POST', path: string, token = 'manager', payload = '{}') =>
    app.inject({ method, url: `/v1/apiKeys${path}`, headers: { authorization: `Bearer ${token}` }, payload });
  const { apiKey } = await create({ requestId: 'no-store' });
  const answers = [
    [200, await answerOf('POST', '', 'manager', '{"name":"siem"}')],
    [200, await answerOf('POST', `/${apiKey.id}:rotate`)],
    [200, await answerOf('POST', `/${apiKey.id}:revoke`)],
    [200, await app.inject({ url: '/v1/apiKeys', headers: { authorization: 'Bearer manager' } })],
    [400, await answerOf('POST', '', 'manager', '{')],
    [401, await answerOf('POST', '', 'nobody')],
    [403, await answerOf('POST', '', 'reader')],
    [404, await answerOf('POST', '/unknown:rotate')],
    [409, await answerOf('POST', '', 'manager', '{"name":"siem","requestId":"no-store"}')],
  ] as const;
  for (const [status, { statusCode, headers, body }] of answers) {
    assert.deepEqual([statusCode, headers['cache-control']], [status, 'no-store'], body);
  }
});

test('what is left out takes its default, within the rights of the maker', async () => {
  const { apiKey } = await create();
  const { scopes, tlpCeiling, reliability, sourceRanges, expiresAt } = apiKey as WireKey &
    Record<string, unknown>;
  assert.deepEqual(
    { scopes, tlpCeiling, reliability, sourceRanges, expiresAt },
    {
      scopes: ['indicators:read'],
      tlpCeiling: 'TLP_MARKING_AMBER',
      reliability: 0.6,
      sourceRanges: [],
      expiresAt: new Date(now + 90 * DAY).toISOString(),
    },
  );
  const sensor = await create({ sensor: true }, 'admin');
  assert.match(sensor.plaintext, /^tiss_/);
});

test('only the scope keys:manage opens keys, for reading too', async () => {
  for (const token of ['reader', 'sensor']) {
    for (const [method, path] of [
      ['POST', ''],
      ['GET', ''],
      ['POST', '/x:rotate'],
      ['POST', '/x:revoke'],
    ] as const) {
      const { status, body } = await call(method, path, token, method === 'POST' ? {} : undefined);
      assert.deepEqual([status, body.code], [403, 7], `${token} ${method} ${path}`);
    }
  }
  assert.equal((await call('GET', '', 'nobody')).status, 401);
});

test('nobody gives rights beyond their own', async () => {
  for (const [beyond, reason, issuer = 'manager'] of [
    [{ scopes: ['usage:read'] }, 'SCOPE_BEYOND_ISSUER'],
    [{ scopes: ['admin'] }, 'SCOPE_BEYOND_ISSUER'],
    [{ sensor: true }, 'SCOPE_BEYOND_ISSUER'],
    [{ tlpCeiling: 'TLP_MARKING_RED' }, 'CEILING_BEYOND_ISSUER'],
    [{ reliability: 0.61 }, 'RELIABILITY_BEYOND_ISSUER'],
    [{ scopes: ['events:write'], sources: ['CISA'] }, 'SOURCE_BEYOND_ISSUER', 'admin'],
  ] as const) {
    const { status, body } = await call('POST', '', issuer, { name: 'x', ...beyond });
    assert.deepEqual([status, body.details[0].reason], [403, reason]);
  }
  // A key with such rights cannot be rotated either.
  const { apiKey } = await create({ scopes: ['admin'] }, 'admin');
  assert.equal((await call('POST', `/${apiKey.id}:rotate`, 'manager', {})).status, 403);
});

test('every fault of a wish is named', async () => {
  for (const [wish, ...fields] of [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: ' x' }, 'name'],
    [{ name: 'x'.repeat(101), scopes: ['read'] }, 'name', 'scopes[0]'],
    [{ nmae: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'nmae', 'name', 'expiresAt'],
    [{ name: 'x', scopes: ['read', 'indicators:read'] }, 'scopes[0]'],
    [{ name: 'x', reliability: 1.1 }, 'reliability'],
    [
      { name: 'x', sourceRanges: ['plant'], expiresAt: '2020-01-01T00:00:00Z' },
      'expiresAt',
      'sourceRanges[0]',
    ],
    [{ name: 'x', tlpCeiling: 'PINK' }, 'tlpCeiling'],
    [{ name: 'x', requestId: 'x'.repeat(129) }, 'requestId'],
  ] as const) {
    const { status, body } = await call('POST', '', 'manager', wish);
    assert.equal(status, 400);
    const named = body.details[1].fieldViolations.map(({ field }: { field: string }) => field);
    assert.deepEqual(named, fields);
  }
});

test('a repeat of a request makes no second key, and names the first', async () => {
  const { apiKey } = await create({ requestId: 'r-1' });
  const again = await call('POST', '', 'manager', { name: 'siem', requestId: 'r-1' });
  assert.deepEqual([again.status, again.body.code], [409, 6]);
  assert.deepEqual(again.body.details[0].metadata, { requestId: 'r-1', keyId: apiKey.id });
  // Two callers may use the same request id.
  await create({ requestId: 'r-1' }, 'colleague');
  await create({ requestId: 'r-2' });
  const rotation = { overlapSeconds: 0, requestId: 'r-1' };
  assert.equal((await call('POST', `/${apiKey.id}:rotate`, 'manager', rotation)).status, 200);
  assert.equal((await call('POST', `/${apiKey.id}:rotate`, 'manager', rotation)).status, 409);
});

test('requests that arrive at once under one id make one key', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => call('POST', '', 'fresh-once', { name: 'x', requestId: 'same' })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)]);
  assert.equal((await list('fresh-once')).apiKeys.length, 1);
});

test('a list is walked page by page, newest first, of the own account alone', async () => {
  assert.deepEqual(await list('fresh-walk'), { apiKeys: [], nextPageToken: '' });
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    now += 1;
    await create({ name }, 'fresh-walk');
  }
  const names: string[] = [];
  let pageToken = '';
  do {
    const page = await list('fresh-walk', `?page_size=2&pageToken=${pageToken}`);
    names.push(...page.apiKeys.map(({ name }) => name));
    pageToken = page.nextPageToken;
    // A newer key comes first in the list, so it is not part of the walk.
    await create({ name: 'later' }, 'fresh-walk');
  } while (pageToken !== '');
  assert.deepEqual(names, ['e', 'd', 'c', 'b', 'a']);
  const { apiKeys, nextPageToken } = await list('fresh-walk', '?pageSize=8');
  assert.deepEqual([apiKeys.length, nextPageToken], [8, '']);
  // A key of another account, and text that is no key.
  for (const token of [(await create()).apiKey.id, 'x']) {
    const { status, body } = await call('GET', `?pageToken=${token}`, 'fresh-walk');
    assert.deepEqual([status, body.details[0].reason], [400, 'INVALID_PAGE_TOKEN']);
  }
});

test('the list says when a key was last used', async () => {
  const { apiKey } = await create({}, 'fresh-use');
  assert.equal((await list('fresh-use')).apiKeys[0]?.lastUsedAt, undefined);
  lastUses.set(apiKey.id, NOW);
  assert.equal((await list('fresh-use')).apiKeys[0]?.lastUsedAt, new Date(NOW).toISOString());
});

test('a rotated key works on for a day, or as long as is asked for', async () => {
  for (const [overlap, lastsMs] of [
    [{}, DAY],
    [{ overlapSeconds: 90 }, 90_000],
    [{ overlap_seconds: 0 }, 0],
  ] as const) {
    const old = await create({}, 'fresh-rotate');
    const { status, body } = await call('POST', `/${old.apiKey.id}:rotate`, 'fresh-rotate', overlap);
    assert.equal(status, 200);
    assert.notEqual(body.apiKey.id, old.apiKey.id);
    assert.equal(body.apiKey.name, 'siem');
    assert.notEqual(body.plaintext, old.plaintext);
    const { apiKeys } = await list('fresh-rotate');
    const ending = apiKeys.find(({ id }) => id === old.apiKey.id);
    assert.equal(ending?.expiresAt, new Date(now + lastsMs).toISOString().replace('.000Z', 'Z'));
  }
  const { apiKey } = await create({}, 'fresh-rotate');
  assert.equal(
    (await call('POST', `/${apiKey.id}:rotate`, 'fresh-rotate', { overlapSeconds: 31_536_001 })).status,
    400,
  );
});

test('a revoked key stays revoked since the first time, and can not be rotated', async () => {
  const { apiKey } = await create();
  const revoked = await call('POST', `/${apiKey.id}:revoke`);
  assert.equal(revoked.status, 200);
  assert.deepEqual(revoked.body, { ...apiKey, revokedAt: new Date(now).toISOString() });
  now += 5;
  assert.deepEqual((await call('POST', `/${apiKey.id}:revoke`)).body, revoked.body);
  const { status, body } = await call('POST', `/${apiKey.id}:rotate`);
  assert.deepEqual([status, body.code], [400, 9]);
});

test('a list of what ends with a key comes before its revocation, which ends just that', async () => {
  const { apiKey, plaintext } = await create({ scopes: ['keys:manage', 'indicators:read'] });
  const holder = { ...MANAGER, credential: 'api-key', id: apiKey.id, actor: apiKey.id } as const;
  keyHolders.set(plaintext, holder);
  const made = [await create({ name: 'one' }, plaintext), await create({ name: 'two' }, plaintext)];
  const ids = [apiKey.id, ...made.map((key) => key.apiKey.id).toSorted()];

  const walked: WireKey[] = [];
  for (let token: string | undefined = ''; token !== undefined; ) {
    const page = await list('manager', `?endsWithId=${apiKey.id}&pageSize=1&pageToken=${token}`);
    walked.push(...page.apiKeys);
    token = page.nextPageToken === '' ? undefined : page.nextPageToken;
  }
  assert.equal(walked[0]?.id, apiKey.id);
  assert.deepEqual(
    [
      apiKey.id,
      ...walked
        .slice(1)
        .map(({ id }) => id)
        .toSorted(),
    ],
    ids,
  );
  assert.ok(walked.every(({ revokedAt }) => revokedAt === undefined));

  const { status, body } = await call('POST', `/${apiKey.id}:revoke`);
  assert.deepEqual([status, body.id], [200, apiKey.id]);
  const ended = (await list('manager', '?pageSize=1000')).apiKeys.filter(({ id }) => ids.includes(id));
  assert.deepEqual(new Set(ended.map(({ revokedAt }) => revokedAt)), new Set([body.revokedAt]));
  // The gateway knows the key for another moment.
  assert.equal((await call('POST', '', plaintext, { name: 'late' })).status, 401);

  const stranger = (await create({}, 'stranger')).apiKey.id;
  for (const id of [stranger, 'x']) {
    const answer = await call('GET', `?endsWithId=${id}`);
    assert.deepEqual([answer.status, answer.body.details[0].reason], [404, 'KEY_NOT_FOUND']);
  }
  const foreign = await call('GET', `?endsWithId=${apiKey.id}&pageToken=${stranger}`);
  assert.deepEqual([foreign.status, foreign.body.details[0].reason], [400, 'INVALID_PAGE_TOKEN']);
});

test('keys of another account, and those that are none, are not there', async () => {
  const { apiKey } = await create();
  for (const [id, token] of [
    [apiKey.id, 'stranger'],
    ['x', 'manager'],
    ['9'.repeat(4_000), 'manager'],
  ] as const) {
    for (const act of ['rotate', 'revoke']) {
      const { status, body } = await call('POST', `/${id}:${act}`, token);
      assert.deepEqual([status, body.code, body.details[0].reason], [404, 5, 'KEY_NOT_FOUND']);
    }
  }
  const { apiKeys } = await list('manager');
  assert.equal(apiKeys.find(({ id }) => id === apiKey.id)?.revokedAt, undefined);
});

test('every act is in the audit log, without the key', async () => {
  const { apiKey, plaintext } = await create({}, 'fresh-audit');
  await call('POST', `/${apiKey.id}:rotate`, 'fresh-audit', {});
  await call('POST', `/${apiKey.id}:revoke`, 'fresh-audit');
  const entries = (await opened.stores.audit(100)).filter(({ detail }) => detail.account === 'fresh-audit');
  assert.deepEqual(
    entries.map(({ action, actor }) => [action, actor]),
    [
      ['key.revoke', 'ann'],
      ['key.create', 'ann'],
      ['key.rotate', 'ann'],
      ['key.create', 'ann'],
    ],
  );
  assert.ok(!JSON.stringify(entries).includes(plaintext));
});
