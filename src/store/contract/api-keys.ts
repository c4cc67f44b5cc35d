// Rules of API keys and of the audit log.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { ApiKey } from '../api-key.ts';
import type { Stores } from '../stores.ts';
import { NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

export function describeApiKeys(rule: Rule): void {
  rule('a key is found by its hash, as it was added, by every opener', async ({ stores, another }) => {
    const full: ApiKey = {
      ...aKey('full'),
      firstKeyId: 'first',
      successorId: 'next',
      createdBy: 'https://idp.example|ann',
      parentId: 'parent',
      group: 'root',
      sensor: true,
      scopes: ['indicators:read', 'events:write'],
      tlpCeiling: 'RED',
      reliability: 0.25,
      sources: ['*', 'Feed "1"'],
      sourceRanges: ['192.0.2.0/24', '2001:db8::/32'],
      expiresAt: NOW + 1,
      revokedAt: NOW + 2,
    };
    await add(stores, full);
    await add(stores, aKey('plain'));
    const other = await another();
    for (const opener of [stores, other]) {
      assert.deepEqual(await opener.keys.byHash(hashOf('full')), full);
      assert.equal((await opener.keys.byHash(hashOf('plain')))?.name, 'plain');
      assert.deepEqual(await opener.keys.byId(full.id), full);
      assert.equal(await opener.keys.byId('no id'), undefined);
      for (const hash of [hashOf('nobody'), '', 'no hex']) {
        assert.equal(await opener.keys.byHash(hash), undefined);
      }
    }
  });

  rule('a revoked key keeps the first instant of revocation', async ({ stores }) => {
    const key = aKey('a');
    await add(stores, key);
    assert.deepEqual(await stores.write((tx) => tx.keys.revoke(key.id, NOW + 1)), {
      ...key,
      revokedAt: NOW + 1,
    });
    assert.equal((await stores.write((tx) => tx.keys.revoke(key.id, NOW + 2)))?.revokedAt, NOW + 1);
    assert.equal((await stores.keys.byHash(hashOf('a')))?.revokedAt, NOW + 1);
    assert.equal(await stores.write((tx) => tx.keys.revoke(randomUUID(), NOW)), undefined);
  });

  rule('a superseded key gets a successor and an end, and nothing else changes', async ({ stores }) => {
    const key = aKey('a');
    await add(stores, key);
    await add(stores, aKey('b'));
    for (const expiresAt of [NOW + 5, NOW + 3]) {
      const moved = await stores.write((tx) => tx.keys.supersede(key.id, 'next', expiresAt));
      assert.deepEqual(moved, { ...key, successorId: 'next', expiresAt });
      assert.deepEqual(await stores.keys.byHash(hashOf('a')), moved);
    }
    assert.equal((await stores.keys.byHash(hashOf('b')))?.expiresAt, undefined);
    assert.equal(await stores.write((tx) => tx.keys.supersede('no id', 'next', NOW)), undefined);
  });

  rule('keys are listed newest first, of one account or of all', async ({ stores }) => {
    await add(stores, { ...aKey('old'), createdAt: NOW });
    await add(stores, { ...aKey('new'), createdAt: NOW + 2, revokedAt: NOW + 3 });
    await add(stores, { ...aKey('middle'), createdAt: NOW + 1, account: 'plant' });
    const names = async (account?: string) => (await stores.keys.list(account)).map(({ name }) => name);
    assert.deepEqual(await names(), ['new', 'middle', 'old']);
    assert.deepEqual(await names('default'), ['new', 'old']);
    assert.deepEqual(await names('plant'), ['middle']);
    assert.deepEqual(await names('nobody'), []);
  });

  rule('pages of an account give each key once, newest first', async ({ stores }) => {
    for (const [index, createdAt] of [0, 5, 5, 5, 2, 7, 2].entries()) {
      await add(stores, { ...aKey(`k${index}`), createdAt: NOW + createdAt });
    }
    await add(stores, { ...aKey('elsewhere'), account: 'plant' });
    const all = await stores.keys.list('default');
    for (const limit of [1, 2, 3, 7, 9]) {
      const walked: ApiKey[] = [];
      for (;;) {
        const page = await stores.keys.page('default', walked.at(-1), limit);
        walked.push(...page);
        if (page.length < limit) break;
      }
      assert.deepEqual(walked, all);
    }
    await stores.write(async (tx) => {
      assert.equal(await tx.keys.createdAtOfNewest('default', 1), NOW + 7);
      assert.equal(await tx.keys.createdAtOfNewest('default', 5), NOW + 2);
      assert.equal(await tx.keys.createdAtOfNewest('default', 8), undefined);
    });
  });

  rule('the live keys of an account are neither revoked nor expired', async ({ stores }) => {
    for (const [name, fields] of [
      ['endless', {}],
      ['later', { expiresAt: NOW + 1 }],
      ['expired', { expiresAt: NOW }],
      ['revoked', { revokedAt: NOW - 1 }],
      ['both', { expiresAt: NOW + 9, revokedAt: NOW - 1 }],
      ['elsewhere', { account: 'plant' }],
    ] as const) {
      await add(stores, { ...aKey(name), ...fields });
    }
    const names = (keys: readonly ApiKey[]) => keys.map(({ name }) => name).toSorted();
    assert.deepEqual(names(await stores.keys.live('default', NOW)), ['endless', 'later']);
    assert.deepEqual(names(await stores.keys.live('default', NOW + 1)), ['endless']);
    // A transaction sees what it has written.
    await stores.write(async (tx) => {
      await tx.keys.add(aKey('added'), hashOf('added'));
      assert.deepEqual(names(await tx.keys.live('default', NOW)), ['added', 'endless', 'later']);
      assert.equal(await tx.keys.countLive('default', NOW), 3);
      assert.equal(await tx.keys.countLive('nobody', NOW), 0);
      const [added] = await tx.keys.live('plant', NOW);
      assert.deepEqual(await tx.keys.byId(added?.id ?? ''), added);
    });
  });

  rule('a key that cannot be added is not there, nor is anything of its change', async ({ stores }) => {
    const key = aKey('a');
    await add(stores, key);
    const twice = stores.write(async (tx) => {
      await tx.keys.add(aKey('b'), hashOf('b'));
      await tx.keys.add({ ...aKey('c'), id: key.id }, hashOf('c'));
    });
    await assert.rejects(twice, { name: 'ServiceError' });
    assert.deepEqual(await stores.keys.list(), [key]);
  });

  rule('the audit log gives the newest entries first', async ({ stores }) => {
    // The instants run backwards, because the order is that of writing.
    for (const [index, action] of ['key.create', 'key.revoke', 'indicator.verify'].entries()) {
      const entry = { at: NOW - index, actor: 'ж "x"', action, target: `t-${index}`, detail: { note: '😀' } };
      await stores.write((tx) => tx.audit(entry));
    }
    assert.deepEqual(
      (await stores.audit(10)).map(({ action }) => action),
      ['indicator.verify', 'key.revoke', 'key.create'],
    );
    const [{ number, ...newest } = { number: 0 }, ...others] = await stores.audit(1);
    assert.ok(number > 0);
    assert.deepEqual(
      [newest, others],
      [
        { at: NOW - 2, actor: 'ж "x"', action: 'indicator.verify', target: 't-2', detail: { note: '😀' } },
        [],
      ],
    );
  });

  rule(
    'the audit log is searched by actor, action and target, and read on from a line',
    async ({ stores }) => {
      await stores.write(async (tx) => {
        for (let index = 0; index < 12; index++) {
          const [actor, action, target] = [`a-${index % 2}`, `act-${index % 3}`, `t-${index}`];
          await tx.audit({ at: NOW, actor, action, target, detail: {} });
        }
      });
      const targets = async (...query: Parameters<typeof stores.audit>) =>
        (await stores.audit(...query)).map(({ target }) => target);
      assert.deepEqual(await targets(10, { actor: 'a-1' }), ['t-11', 't-9', 't-7', 't-5', 't-3', 't-1']);
      assert.deepEqual(await targets(10, { actor: 'a-1', action: 'act-0' }), ['t-9', 't-3']);
      assert.deepEqual(await targets(10, { target: 't-4' }), ['t-4']);
      assert.deepEqual(await targets(10, { target: 't-4', actor: 'a-1' }), []);
      const before = (await stores.audit(3, { action: 'act-0' })).at(-1)?.number ?? 0;
      assert.deepEqual(await targets(10, { action: 'act-0', before }), ['t-0']);
    },
  );
}

function aKey(name: string): ApiKey {
  return {
    id: randomUUID(),
    createdBy: 'cli',
    name,
    account: 'default',
    sensor: false,
    scopes: [],
    tlpCeiling: 'AMBER_STRICT',
    reliability: 0.7,
    sources: [],
    sourceRanges: [],
    prefix: 'tis_abcd',
    lastFour: 'wxyz',
    createdAt: NOW,
  };
}

function add(stores: Stores, key: ApiKey): Promise<void> {
  return stores.write((tx) => tx.keys.add(key, hashOf(key.name)));
}

function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}
