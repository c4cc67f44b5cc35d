// Rules of people, of their sessions, of one-time links and of passkeys.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { Passkey } from '../passkey.ts';
import type { Person, StoredPassword } from '../person.ts';
import type { Session } from '../session.ts';
import type { Stores } from '../stores.ts';
import { NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

export function describePeople(rule: Rule): void {
  rule(
    'a person is found by id, login and identity outside, by every opener',
    async ({ stores, another }) => {
      const full: Person = {
        ...aPerson('ann'),
        roles: ['analyst', 'key-manager'],
        tlpCeiling: 'RED',
        disabledAt: NOW + 1,
        lastSignInAt: NOW + 2,
        external: { issuer: 'https://idp.example', subject: 'a|1' },
      };
      await addAll(stores, full, aPerson('bob'));
      for (const { people } of [stores, await another()]) {
        assert.deepEqual(await people.byId(full.id), full);
        assert.deepEqual(await people.byLogin('ann'), full);
        assert.deepEqual(await people.byExternal({ issuer: 'https://idp.example', subject: 'a|1' }), full);
        assert.equal((await people.byLogin('bob'))?.external, undefined);
        assert.equal(await people.byLogin('nobody'), undefined);
        assert.equal(await people.byExternal({ issuer: '', subject: '' }), undefined);
      }
    },
  );

  rule('people are listed by login, of one account or of all', async ({ stores }) => {
    await addAll(stores, aPerson('c'), { ...aPerson('a'), account: 'plant' }, aPerson('b'));
    const logins = async (account?: string) => (await stores.people.list(account)).map(({ login }) => login);
    assert.deepEqual(
      [await logins(), await logins('default')],
      [
        ['a', 'b', 'c'],
        ['b', 'c'],
      ],
    );
  });

  rule('a change keeps the login, and a password is apart from the person', async ({ stores }) => {
    const person = aPerson('ann');
    await addAll(stores, person);
    assert.equal(await stores.people.anySignIn(), false);
    const changed: Person = { ...person, name: 'Ann', account: 'plant', lastSignInAt: NOW };
    const password: StoredPassword = {
      cost: 2,
      blockSize: 1,
      parallelization: 1,
      salt: 's',
      hash: 'h',
      setAt: NOW,
    };
    await stores.write(async ({ people }) => {
      await people.setPassword(person.id, password);
      await people.update({ ...changed, login: 'eve', createdAt: 0 });
    });
    assert.deepEqual(await stores.people.byId(person.id), changed);
    assert.deepEqual(await stores.people.passwordOf(person.id), password);
    assert.equal(await stores.people.passwordOf('no id'), undefined);
    assert.equal(await stores.people.anySignIn(), true);
  });

  rule('a session is found by its hash, with the person as he is now', async ({ stores }) => {
    const person = aPerson('ann');
    const session = aSession(person);
    await addAll(stores, person);
    await stores.write((tx) => tx.sessions.add(session, hashOf('one')));
    await stores.write((tx) => tx.people.update({ ...person, disabledAt: NOW }));
    const found = await stores.sessions.byHash(hashOf('one'));
    assert.deepEqual(found, { session, person: { ...person, disabledAt: NOW } });
    for (const hash of [hashOf('two'), '', 'no hex'])
      assert.equal(await stores.sessions.byHash(hash), undefined);
    await stores.write((tx) => tx.sessions.touch(session.id, NOW + 5));
    await stores.write((tx) => tx.sessions.touch(session.id, NOW + 3));
    assert.deepEqual(await stores.sessions.ofPerson(person.id), [{ ...session, lastUsedAt: NOW + 5 }]);
  });

  rule('sessions end one by one, all but one, and by their age', async ({ stores }) => {
    const [ann, bob] = [aPerson('ann'), aPerson('bob')];
    await addAll(stores, ann, bob);
    const sessions = [ann, ann, ann, bob].map((person, at) => ({
      ...aSession(person),
      createdAt: NOW + at,
      expiresAt: NOW + at,
    }));
    await stores.write(async (tx) => {
      for (const session of sessions) await tx.sessions.add(session, hashOf(session.id));
    });
    const [first, second, third, other] = sessions.map(({ id }) => id) as [string, string, string, string];
    const idsOf = async ({ id }: Person) => (await stores.sessions.ofPerson(id)).map((one) => one.id);
    assert.deepEqual(await idsOf(ann), [third, second, first]);
    assert.equal(await stores.write((tx) => tx.sessions.remove(bob.id, first)), false);
    assert.equal(await stores.write((tx) => tx.sessions.forgetExpired(NOW + 2, 1)), 1);
    assert.deepEqual(await idsOf(ann), [third, second]);
    assert.equal(await stores.write((tx) => tx.sessions.removeOthers(ann.id, third)), 1);
    assert.equal(await stores.write((tx) => tx.sessions.remove(ann.id, third)), true);
    assert.deepEqual([await idsOf(ann), await idsOf(bob)], [[], [other]]);
    assert.equal(await stores.write((tx) => tx.sessions.removeOthers(bob.id)), 1);
  });

  rule('a person has one link, and a new one ends the one before', async ({ stores }) => {
    const link = { personId: 'p', purpose: 'reset', createdAt: NOW, expiresAt: NOW + 1 } as const;
    await stores.write((tx) => tx.links.put({ ...link, purpose: 'invitation' }, hashOf('old')));
    await stores.write((tx) => tx.links.put(link, hashOf('new')));
    assert.equal(await stores.links.byHash(hashOf('old')), undefined);
    assert.deepEqual(await stores.links.byHash(hashOf('new')), link);
    await stores.write((tx) => tx.links.remove('p'));
    assert.equal(await stores.links.byHash(hashOf('new')), undefined);
  });

  rule(
    'a passkey is found by its id, counts its uses and is removed by its person only',
    async ({ stores }) => {
      const keys = ['k2', 'k1'].map((id, at) => ({ ...aPasskey(id), createdAt: NOW + at }));
      const [first, second] = keys as [Passkey, Passkey];
      await stores.write(async (tx) => {
        for (const key of keys) await tx.passkeys.add(key);
        await tx.passkeys.used('k2', 7, NOW + 9);
      });
      const used = { ...first, counter: 7, lastUsedAt: NOW + 9 };
      assert.deepEqual(await stores.passkeys.byId('k2'), used);
      assert.equal(await stores.passkeys.byId('k3'), undefined);
      assert.deepEqual(await stores.passkeys.ofPerson('p'), [used, second]);
      assert.equal(await stores.write((tx) => tx.passkeys.remove('q', 'k1')), false);
      assert.equal(await stores.write((tx) => tx.passkeys.remove('p', 'k1')), true);
      await stores.write((tx) => tx.passkeys.removeAll('p'));
      assert.deepEqual(await stores.passkeys.ofPerson('p'), []);
    },
  );
}

function aPerson(login: string): Person {
  return {
    id: randomUUID(),
    login,
    name: login,
    account: 'default',
    roles: ['reader'],
    tlpCeiling: 'GREEN',
    reliability: 0.5,
    createdBy: 'cli',
    createdAt: NOW,
  };
}

function aSession(person: Person): Session {
  return {
    id: randomUUID(),
    personId: person.id,
    method: 'passkey',
    createdAt: NOW,
    lastUsedAt: NOW,
    expiresAt: NOW + 10,
    address: '192.0.2.0/24',
    agent: 'a "browser"',
  };
}

function aPasskey(id: string): Passkey {
  return {
    id,
    personId: 'p',
    publicKey: 'cose',
    counter: 0,
    transports: ['usb'],
    name: 'laptop',
    synced: false,
    createdAt: NOW,
  };
}

async function addAll(stores: Stores, ...people: readonly Person[]): Promise<void> {
  await stores.write(async (tx) => {
    for (const person of people) await tx.people.add(person);
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
