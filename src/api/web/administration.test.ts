// The JSON of administration and use over HTTP, on a real store: rights, searches, and what a ceiling hides.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { DAY, toRfc3339 } from '../../domain/instant.ts';
import type { Caller } from '../../gateway/caller.ts';
import { createRetry } from '../../pipeline/retry.ts';
import { idOf, NOW, save } from '../../store/contract/fixtures.ts';
import {
  openTemporaryStore,
  openTemporaryUsage,
  type TemporaryStore,
  type TemporaryUsage,
} from '../../store/contract/temporary-store.test-support.ts';
import { FIELDS, testServer } from '../rest-server.test-support.ts';
import { auditSearch } from './audit-search.ts';
import { registerDataRoutes } from './data-routes.ts';
import { deadLetters } from './dead-letters.ts';
import { usageByCredential } from './usage-by-credential.ts';

const ADMIN: Caller = {
  credential: 'jwt',
  id: 'https://idp.example|ann',
  account: 'plant',
  actor: 'ann',
  name: 'ann',
  scopes: new Set(['admin']),
  ceiling: 'AMBER',
  reliability: 0.6,
};

/** By token. */
const CALLERS: Readonly<Record<string, Caller>> = {
  admin: ADMIN,
  chief: { ...ADMIN, ceiling: 'RED' },
  rival: { ...ADMIN, account: 'rival' },
  reader: { ...ADMIN, scopes: new Set(['indicators:read', 'usage:read']) },
  manager: { ...ADMIN, scopes: new Set(['indicators:read', 'keys:manage']) },
};

const ANN = '0a6ed2a4-2f6b-4a55-9d55-3f4f0c9b7d11';
const SEEN = idOf('seen.example');
const HIDDEN = idOf('hidden.example');

let opened: TemporaryStore;
let openedUsage: TemporaryUsage;
let app: FastifyInstance;

before(async () => {
  opened = await openTemporaryStore(() => NOW);
  openedUsage = await openTemporaryUsage();
  const { stores } = opened;
  const { usage } = openedUsage;
  await save(stores, [{ value: 'seen.example' }, { value: 'hidden.example', tlp: 'RED' }]);
  await stores.write(async (tx) => {
    await tx.people.add({
      id: ANN,
      login: 'ann',
      name: 'Ann',
      account: 'plant',
      roles: ['reader'],
      tlpCeiling: 'AMBER',
      reliability: 0.6,
      createdBy: 'cli',
      createdAt: NOW,
    });
    for (const [index, target] of [SEEN, HIDDEN, 'key-1', SEEN].entries()) {
      const action = target === 'key-1' ? 'key.create' : 'indicator.verify';
      const detail: Record<string, string> = target === 'key-1' ? { account: 'plant' } : {};
      await tx.audit({ at: NOW + index, actor: `person ${index % 2}`, action, target, detail });
    }
    await tx.enqueue(
      [
        { indicatorId: SEEN, marking: 'GREEN' },
        { indicatorId: HIDDEN, marking: 'RED' },
      ],
      NOW,
    );
  });
  await stores.write(async (tx) => {
    for (const job of await tx.claim(10, 1_000, NOW)) await tx.fail(job, 'the enricher is broken', undefined);
  });
  const routes = [
    auditSearch(stores),
    ...deadLetters({ jobs: stores.jobs, retryDeadLetters: createRetry({ stores, clock: () => NOW }) }),
    usageByCredential({ usage, keys: stores.keys, people: stores.people }),
  ];
  const admit = async ({ authorization = '' }) => {
    const caller = CALLERS[authorization.replace('Bearer ', '')];
    if (caller !== undefined) return { caller, fields: FIELDS };
    throw new ServiceError('unauthenticated', 'no', { reason: 'CREDENTIAL_INVALID' });
  };
  app = testServer({ plugins: [(scope) => registerDataRoutes(scope, routes, admit)] }).app;
});
after(async () => {
  await opened.dispose();
  await openedUsage.dispose();
});

async function ask(path: string, token = 'admin', body?: object) {
  const response = await app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `/app/data${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: response.statusCode, body: response.json() };
}

test('each route wants its scope, and a caller that is known', async () => {
  for (const path of ['/audit', '/jobs']) {
    assert.equal((await ask(path, 'nobody')).status, 401);
    for (const token of ['reader', 'manager']) assert.equal((await ask(path, token)).status, 403, path);
  }
  assert.equal((await ask('/jobs/retry', 'reader', {})).status, 403);
  assert.equal((await ask('/usage', 'manager')).status, 403);
});

test('the audit log is searched, and gives no act on an indicator above the ceiling', async () => {
  const targets = async (query: string, token?: string) =>
    (await ask(`/audit${query}`, token)).body.entries.map(({ target }: { target: string }) => target);
  assert.deepEqual(await targets(''), [SEEN, 'key-1', SEEN]);
  assert.deepEqual(await targets('', 'chief'), [SEEN, 'key-1', HIDDEN, SEEN]);
  assert.deepEqual(await targets('', 'rival'), [SEEN, SEEN], 'nothing of the keys of another account');
  assert.deepEqual(await targets('?actor=person%201'), [SEEN]);
  assert.deepEqual(await targets(`?target=${HIDDEN}`), []);
  const first = await ask('/audit?limit=2');
  assert.deepEqual(first.body.entries.length, 2);
  assert.deepEqual(await targets(`?limit=2&before=${first.body.next}`), [SEEN]);
  assert.equal((await ask('/audit?limit=many')).status, 400);
  assert.match((await ask('/audit?acter=x')).body.details[1].fieldViolations[0].description, /actor/);
});

test('the audit log gives no words above the ceiling: a note is left out, and a verdict has none', async () => {
  const detail = { note: 'the source is an agent', tlp: 'RED' };
  await opened.stores.write(async (tx) => {
    for (const action of ['indicator.note', 'indicator.dispute'])
      await tx.audit({ at: NOW, actor: 'writer', action, target: SEEN, detail });
  });
  const found = async (token?: string) =>
    (await ask('/audit?actor=writer', token)).body.entries.map(
      ({ action, detail: known }: { action: string; detail: object }) => [action, known],
    );
  assert.deepEqual(await found(), [['indicator.dispute', {}]]);
  assert.deepEqual(await found('chief'), [
    ['indicator.dispute', detail],
    ['indicator.note', detail],
  ]);
});

test('dead letters above the ceiling are neither shown nor retried', async () => {
  const { body } = await ask('/jobs');
  // How many jobs wait is told to those who may see all of them.
  assert.equal(body.pending, undefined);
  assert.equal((await ask('/jobs', 'chief')).body.pending, 0);
  assert.deepEqual(body.dead, [
    { indicatorId: SEEN, attempts: 1, queuedAt: toRfc3339(NOW), error: 'the enricher is broken' },
  ]);
  assert.equal((await ask('/jobs/retry', 'admin', { indicatorId: HIDDEN })).status, 404);
  assert.equal((await ask('/jobs/retry', 'admin', {})).status, 400);
  assert.deepEqual((await ask('/jobs/retry', 'admin', { indicatorId: SEEN })).body, { revived: 1 });
  assert.deepEqual((await ask('/jobs/retry', 'chief', {})).body, { revived: 1 });
  assert.equal((await ask('/jobs', 'chief')).body.pending, 2);
  const [entry] = (await ask(`/audit?action=job.retry&target=${SEEN}`)).body.entries;
  assert.deepEqual([entry.actor, entry.detail], ['ann', { jobs: '1' }]);
  assert.equal((await app.inject({ method: 'POST', url: '/app/data/jobs/retry' })).statusCode, 401);
});

test('the use of an account by credential and day, beside what was over the limit', async () => {
  const { usage } = openedUsage;
  const use = { account: 'plant', searches: 2, returned: 7, lookups: 3, lookupRequests: 1 };
  await usage.record([{ ...use, credential: 'k1', at: NOW }], false);
  await usage.record([{ ...use, credential: `person|${ANN}`, at: NOW + DAY }], false);
  await usage.record([{ ...use, account: 'other', credential: 'k3', at: NOW }], false);
  await usage.refuse([{ account: 'plant', credential: 'k1', at: NOW, requests: 40 }]);
  const day = (at: number) => toRfc3339(at - (at % DAY));
  const window = `?start=${day(NOW)}&end=${day(NOW + 2 * DAY)}`;
  const { body } = await ask(`/usage${window}`, 'reader');
  const counts = { searchCount: 2, returnedCount: 7, lookupCount: 3, lookupRequestCount: 1 };
  const refusals = [{ start: day(NOW), requests: 40 }];
  assert.deepEqual(body, {
    account: 'plant',
    days: [
      { start: day(NOW), ...counts },
      { start: day(NOW + DAY), ...counts },
    ],
    refusals,
    credentials: [
      { id: 'k1', days: [{ start: day(NOW), ...counts }], refusals },
      { id: `person|${ANN}`, name: 'ann', days: [{ start: day(NOW + DAY), ...counts }], refusals: [] },
    ],
    complete: true,
  });
  assert.equal((await ask('/usage?start=yesterday&end=now', 'reader')).status, 400);
});
