// Rules of what the embedded OpenID provider keeps: clients, signing keys, short-lived records.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { OpenidClient } from '../openid-client.ts';
import type { OpenidKey } from '../openid-key.ts';
import type { OpenidRecord } from '../openid-record.ts';
import { NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

export function describeOpenid(rule: Rule): void {
  rule('a client is kept apart from its secret, and revoked once', async ({ stores, another }) => {
    const full: OpenidClient = {
      ...aClient('soar'),
      confidential: true,
      redirectUris: ['https://soar.example/return'],
      ownerId: randomUUID(),
    };
    const open = { ...aClient('dashboard'), account: 'plant', createdAt: NOW + 1 };
    await stores.write(async ({ openidClients }) => {
      await openidClients.add(full, hashOf('secret'));
      await openidClients.add(open, undefined);
    });
    for (const { openidClients } of [stores, await another()]) {
      assert.deepEqual(await openidClients.byId(full.id), full);
      assert.deepEqual(await openidClients.list(), [open, full]);
      assert.deepEqual(await openidClients.list('plant'), [open]);
      assert.equal(await openidClients.secretHashOf(full.id), hashOf('secret'));
      assert.equal(await openidClients.secretHashOf(open.id), undefined);
      assert.equal(await openidClients.byId('nobody'), undefined);
    }
    const revoke = (id: string, at: number) => stores.write((tx) => tx.openidClients.revoke(id, at));
    assert.equal((await revoke(full.id, NOW + 2))?.revokedAt, NOW + 2);
    assert.equal((await revoke(full.id, NOW + 3))?.revokedAt, NOW + 2);
    assert.equal(await revoke('nobody', NOW), undefined);
  });

  rule('signing keys are listed by age', async ({ stores }) => {
    const [old, young] = [aKey(NOW), aKey(NOW + 1)];
    await stores.write(async ({ openidKeys }) => {
      await openidKeys.add(young);
      await openidKeys.add(old);
    });
    assert.deepEqual(await stores.openidKeys.list(), [old, young]);
    await stores.write(({ openidKeys }) => openidKeys.remove(old.id));
    assert.deepEqual(await stores.openidKeys.list(), [young]);
  });

  rule('a record is replaced, and consumed once', async ({ stores, another }) => {
    const key = hashOf('code');
    await put(stores, 'Code', key, { payload: 'first', expiresAt: NOW });
    await put(stores, 'Code', key, { payload: 'second', expiresAt: NOW + 1 });
    const consume = (at: number) => stores.write(({ openidRecords }) => openidRecords.consume(key, at));
    const results = await Promise.all([consume(NOW), consume(NOW)]);
    assert.deepEqual(results.sort(), [false, true]);
    const record = { payload: 'second', expiresAt: NOW + 1, consumedAt: NOW };
    for (const { openidRecords } of [stores, await another()])
      assert.deepEqual(await openidRecords.byKey(key), record);
    await stores.write(({ openidRecords }) => openidRecords.remove(key));
    assert.equal(await stores.openidRecords.byKey(key), undefined);
    assert.equal(await consume(NOW), false);
  });

  rule('records of a kind are bounded, and the expired are forgotten', async ({ stores }) => {
    for (const index of [0, 1, 2, 3])
      await put(stores, 'Code', hashOf(`code ${index}`), { payload: String(index), expiresAt: NOW + index });
    await put(stores, 'Grant', hashOf('grant'), { payload: 'grant', expiresAt: NOW });
    const left = async () => {
      const names = ['code 0', 'code 1', 'code 2', 'code 3', 'grant'];
      const found = await Promise.all(names.map((name) => stores.openidRecords.byKey(hashOf(name))));
      return found.map((record) => record?.payload ?? '-').join(' ');
    };
    assert.equal(await stores.write(({ openidRecords }) => openidRecords.keepNewest('Code', 3)), 1);
    assert.equal(await left(), '- 1 2 3 grant');
    assert.equal(await stores.write(({ openidRecords }) => openidRecords.forgetExpired(NOW + 2, 2)), 2);
    assert.equal(await left(), '- - 2 3 -');
    assert.equal(await stores.write(({ openidRecords }) => openidRecords.keepNewest('Code', 3)), 0);
  });
}

type Written = Parameters<Parameters<Rule>[1]>[0]['stores'];

function put(stores: Written, kind: string, key: string, record: OpenidRecord): Promise<void> {
  return stores.write(({ openidRecords }) => openidRecords.put(kind, key, record));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function aKey(createdAt: number): OpenidKey {
  return { id: randomUUID(), createdAt, signsFrom: createdAt + 5, jwk: { kty: 'EC', d: 'private' } };
}

function aClient(name: string): OpenidClient {
  return {
    id: randomUUID(),
    name,
    account: 'default',
    confidential: false,
    redirectUris: [],
    postLogoutRedirectUris: [],
    scopes: ['indicators:read'],
    tlpCeiling: 'AMBER',
    reliability: 0.5,
    createdBy: 'cli',
    createdAt: NOW,
  };
}
