import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openTemporaryStore, type TemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import type { Person } from '../store/person.ts';
import type { ActingCaller } from './granter.ts';
import { changePerson, invitePerson, makeFirstAdministrator, resetPerson } from './people-commands.ts';
import { newSecretToken } from './secret-token.ts';

const NOW = Date.UTC(2026, 10, 22);

describe('commands on people', () => {
  let opened: TemporaryStore;
  let chief: Person;
  beforeEach(async () => {
    opened = await openTemporaryStore(() => NOW);
    const first = await makeFirstAdministrator(opened.stores, newSecretToken().hash, NOW);
    assert.ok(first);
    chief = first.person;
  });
  afterEach(() => opened.dispose());

  /** As the gateway let the person in. */
  const caller = (): ActingCaller => ({
    credential: 'session',
    id: `person|${chief.id}`,
    account: 'default',
    actor: 'admin',
    scopes: new Set(['admin']),
    ceiling: 'RED',
    reliability: 1,
  });
  const invite = (login: string, actor: ActingCaller | 'cli' = caller(), roles = ['administrator']) =>
    invitePerson(opened.stores, { login, roles }, actor, newSecretToken().hash, NOW);

  it('the first administrator is made once, also by two starts at the same time', async () => {
    assert.equal(await makeFirstAdministrator(opened.stores, newSecretToken().hash, NOW), undefined);
    const other = await openTemporaryStore(() => NOW);
    const [a, b] = await Promise.all([
      makeFirstAdministrator(other.stores, newSecretToken().hash, NOW),
      makeFirstAdministrator(await other.another(), newSecretToken().hash, NOW),
    ]);
    await other.dispose();
    assert.equal([a, b].filter((made) => made !== undefined).length, 1);
  });

  it('an administrator who was demoted or disabled after the gate let him in does nothing more', async () => {
    const { person: second } = await invite('second');
    await changePerson(opened.stores, chief.id, { roles: ['analyst'] }, 'cli', NOW);
    const refused = { code: 'permission_denied' };
    await assert.rejects(invite('eve'), refused);
    await assert.rejects(changePerson(opened.stores, second.id, { disabled: true }, caller(), NOW), refused);
    await assert.rejects(
      resetPerson(opened.stores, second.id, caller(), newSecretToken().hash, NOW),
      refused,
    );
    await changePerson(opened.stores, chief.id, { disabled: true }, 'cli', NOW);
    await assert.rejects(invite('eve'), { code: 'unauthenticated' });
  });

  it('two administrators cannot disable each other at the same time', async () => {
    const { person: second } = await invite('second');
    const disable = (id: string) => changePerson(opened.stores, id, { disabled: true }, 'cli', NOW);
    const results = await Promise.allSettled([disable(chief.id), disable(second.id)]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('logins are one in any case, and none looks like the operator or a key', async () => {
    assert.equal((await invite(' Ann.Lee@Plant.example ')).person.login, 'ann.lee@plant.example');
    await assert.rejects(invite('ANN.LEE@plant.example'), { code: 'already_exists' });
    for (const login of ['', 'cli', 'CLI', chief.id, 'a b', '.a', 'a.', 'ä', 'x'.repeat(101), '<script>'])
      await assert.rejects(invite(login), { code: 'invalid_argument' }, login);
  });

  it('a link is for one purpose and one person, and another one ends it', async () => {
    const { person, link } = await invite('ann', caller(), ['reader']);
    assert.deepEqual([link.purpose, link.expiresAt - NOW], ['invitation', 7 * 86_400_000]);
    assert.deepEqual([person.tlpCeiling, person.reliability], ['AMBER_STRICT', 0.9]);
    const reset = await resetPerson(opened.stores, person.id, caller(), newSecretToken().hash, NOW);
    assert.deepEqual([reset.link.purpose, reset.link.expiresAt - NOW], ['reset', 86_400_000]);
  });
});
