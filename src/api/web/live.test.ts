// Live figures and consumers of the feed, on a real store: who may look, and what a ceiling and an account hide.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { MINUTE, toRfc3339 } from '../../domain/instant.ts';
import type { Caller } from '../../gateway/caller.ts';
import { issueKey } from '../../gateway/key-commands.ts';
import { createAggregate } from '../../search/aggregate.ts';
import { createLiveFigures } from '../../search/live-figures.ts';
import type { ActivityCount } from '../../store/activity.ts';
import { NOW, save } from '../../store/contract/fixtures.ts';
import {
  openTemporaryStore,
  openTemporaryUsage,
  type TemporaryStore,
  type TemporaryUsage,
} from '../../store/contract/temporary-store.test-support.ts';
import { FIELDS, testServer } from '../rest-server.test-support.ts';
import { feedConsumers } from './consumers.ts';
import { registerDataRoutes } from './data-routes.ts';
import { liveFigures } from './live.ts';

const PERSON: Caller = {
  credential: 'session',
  id: 'person|ann',
  account: 'plant',
  actor: 'ann',
  name: 'ann',
  scopes: new Set(['indicators:read', 'usage:read']),
  ceiling: 'GREEN',
  reliability: 0.6,
};
const CALLERS: Readonly<Record<string, Caller>> = {
  person: PERSON,
  amber: { ...PERSON, ceiling: 'AMBER' },
  admin: { ...PERSON, scopes: new Set(['admin']), ceiling: 'AMBER' },
  chief: { ...PERSON, credential: 'api-key', scopes: new Set(['admin']), ceiling: 'RED' },
  key: { ...PERSON, credential: 'api-key' },
  manager: { ...PERSON, scopes: new Set(['keys:manage']) },
};

const COUNT: ActivityCount = {
  account: 'plant',
  reporter: 'k',
  title: 'key pump',
  sensor: 'plc-1',
  sensorType: 'ICS',
  marking: 'GREEN',
  protocol: 'MODBUS',
  intent: 'write',
  events: 2,
};

let opened: TemporaryStore;
let openedUsage: TemporaryUsage;
let app: FastifyInstance;

before(async () => {
  opened = await openTemporaryStore(() => NOW);
  openedUsage = await openTemporaryUsage();
  const { stores } = opened;
  const { usage } = openedUsage;
  await save(stores, [
    { value: 'a.example', lastSeen: NOW - MINUTE, state: 'ENRICHED' },
    { value: 'b.example', lastSeen: NOW - MINUTE, state: 'ENRICHED', tlp: 'AMBER' },
  ]);
  await stores.write((tx) =>
    tx.addActivity([COUNT, { ...COUNT, marking: 'AMBER', events: 5 }, { ...COUNT, account: 'other' }], NOW),
  );
  for (const [name, tlpCeiling, account] of [
    ['siem', 'GREEN', 'plant'],
    ['soc', 'RED', 'plant'],
    ['guest', 'GREEN', 'other'],
  ] as const) {
    const { key } = await issueKey(stores, { name, tlpCeiling, account }, 'cli', NOW);
    await usage.noteConsumers([
      {
        account,
        credential: key.id,
        collection: 'c',
        position: NOW * 1_000,
        polledAt: NOW,
        polls: 3,
        agent: 'client/1',
        mistakes: { STEPPED_BACK: { count: 1, lastAt: NOW } },
      },
    ]);
  }
  const aggregate = createAggregate(stores.indicators);
  const routes = [
    liveFigures({ figures: createLiveFigures({ stores, aggregate, clock: () => NOW }) }),
    feedConsumers({ usage, keys: stores.keys, feed: stores.feed }),
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

async function ask(path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await app.inject({ url: `/app/data${path}`, headers });
  return { status: response.statusCode, body: response.json() };
}

test('live figures are for people who may search and for keys of administrators', async () => {
  const statuses = [];
  for (const token of ['nobody', 'manager', 'key', 'person', 'chief'])
    statuses.push((await ask('/live', token)).status);
  assert.deepEqual(statuses, [401, 403, 403, 200, 200]);
  assert.equal((await ask('/live?x=1', 'person')).status, 400);
});

test('what is above the ceiling is in no figure, and the queue is for those who may see all', async () => {
  const events = async (token: string) => {
    const { minutes, backlog, sensors, queue } = (await ask('/live', token)).body;
    return [minutes[0].events, backlog.ENRICHED, sensors.length, queue !== undefined];
  };
  assert.deepEqual(await events('person'), [4, 1, 1, false]);
  assert.deepEqual(await events('amber'), [9, 2, 1, false]);
  assert.deepEqual(await events('admin'), [9, 2, 2, false]);
  assert.deepEqual(await events('chief'), [9, 2, 2, true]);
  const { at, sensors, minutes } = (await ask('/live', 'person')).body;
  assert.equal(at, toRfc3339(NOW));
  assert.deepEqual([minutes[0].protocol, minutes[0].intent], ['MODBUS', 'write']);
  assert.deepEqual(sensors, [
    {
      account: 'plant',
      title: 'key pump',
      sensor: 'plc-1',
      sensorType: 'ICS',
      lastEventTime: toRfc3339(NOW),
      eventsPerMinute: 0.2,
    },
  ]);
});

test('a consumer above the ceiling or of another account is not listed', async () => {
  const names = async (token: string) =>
    (await ask('/consumers', token)).body.consumers.map(({ name }: { name: string }) => name).toSorted();
  assert.deepEqual(await names('person'), ['siem']);
  assert.deepEqual(await names('chief'), ['guest', 'siem', 'soc']);
  assert.equal((await ask('/consumers', 'manager')).status, 403);
  const [{ credential: _, ...siem }] = (await ask('/consumers', 'person')).body.consumers;
  assert.deepEqual(siem, {
    account: 'plant',
    collection: 'c',
    polls: 3,
    agent: 'client/1',
    position: new Date(NOW).toISOString().replace('Z', '000Z'),
    pollTime: toRfc3339(NOW),
    mistakes: [{ mistake: 'STEPPED_BACK', count: 1, lastTime: toRfc3339(NOW) }],
    name: 'siem',
    isRevoked: false,
    lagSeconds: 0,
  });
});
