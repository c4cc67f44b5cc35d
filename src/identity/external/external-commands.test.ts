import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  openTemporaryStore,
  type TemporaryStore,
} from '../../store/contract/temporary-store.test-support.ts';
import { newSecretToken } from '../secret-token.ts';
import { createExternalCommands, type ExternalSignIn } from './external-commands.ts';

const NOW = Date.UTC(2026, 10, 22);

describe('a stranger from an external issuer', () => {
  let opened: TemporaryStore;
  before(async () => {
    opened = await openTemporaryStore(() => NOW);
  });
  after(() => opened.dispose());

  const signIn = async (subject: string, more: Partial<ExternalSignIn> = {}) => {
    const { openExternalSession } = createExternalCommands(opened.stores, () => NOW);
    const opening = { hash: newSecretToken().hash, method: 'openid', address: '', agent: '' } as const;
    const { personId } = await openExternalSession(
      { issuer: 'https://id.example', subject, defaultRole: undefined, ...more },
      opening,
    );
    return opened.stores.people.byId(personId);
  };

  it('without a role stays outside', async () => {
    await assert.rejects(signIn('a'), { code: 'unauthenticated' });
    await assert.rejects(signIn('a', { roles: ['root', 'ADMINISTRATOR'] }), { code: 'unauthenticated' });
    assert.deepEqual(await opened.stores.people.list(), []);
  });

  it('gets a login that nobody has, and no more than the usual rights', async () => {
    const login = async (subject: string, more: Partial<ExternalSignIn> = {}) =>
      (await signIn(subject, { defaultRole: 'reader', ...more }))?.login;
    assert.equal(await login('b', { login: 'Ann' }), 'ann');
    assert.equal(await login('c', { login: 'ann' }), 'ann-2');
    assert.equal(await login('d', { login: 'cli', email: 'dan@plant.example' }), 'dan@plant.example');
    assert.equal(await login('<E|7>', { login: '../..' }), 'openid-e70');
    assert.equal(await login('???'), 'openid-0');
    const person = await signIn('b', { defaultRole: 'administrator' });
    assert.deepEqual(
      [person?.roles, person?.tlpCeiling, person?.account],
      [['reader'], 'AMBER_STRICT', 'default'],
    );
  });

  it('is known by issuer and subject together', async () => {
    const one = await signIn('f', { defaultRole: 'reader' });
    const other = await signIn('f', { defaultRole: 'reader', issuer: 'https://other.example' });
    assert.notEqual(one?.id, other?.id);
  });
});
