import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Person } from '../store/person.ts';
import type { Caller } from './caller.ts';
import { grantorOf } from './key-grantor.ts';

const NOW = Date.UTC(2026, 10, 22);

const PERSON: Person = {
  id: 'p',
  login: 'ann',
  name: 'Ann',
  account: 'plant',
  roles: ['key-manager'],
  tlpCeiling: 'GREEN',
  reliability: 0.5,
  createdBy: 'cli',
  createdAt: NOW,
};

/** As the gateway let the person in, with more rights than now. */
const CALLER: Caller = {
  credential: 'session',
  id: 'person|p',
  account: 'default',
  actor: 'ann',
  name: 'Ann',
  scopes: new Set(['admin']),
  ceiling: 'RED',
  reliability: 1,
};

const granted = (person: Person | undefined) =>
  grantorOf({ keys: { byId: async () => undefined }, people: { byLogin: async () => person } }, CALLER, NOW);

describe('a person as the grantor of keys', () => {
  it('has the rights of the transaction, and not those at the gate', async () => {
    const grantor = await granted(PERSON);
    assert.deepEqual(grantor?.rights, {
      account: 'plant',
      sensor: false,
      scopes: ['indicators:read', 'events:write', 'keys:manage', 'usage:read'],
      tlpCeiling: 'GREEN',
      reliability: 0.5,
      sources: [],
      sourceRanges: [],
    });
    assert.deepEqual([grantor?.id, grantor?.group], ['person|p', 'person|p']);
  });

  it('makes nothing without the role, disabled or gone', async () => {
    await assert.rejects(granted({ ...PERSON, roles: ['analyst'] }), { code: 'permission_denied' });
    await assert.rejects(granted({ ...PERSON, disabledAt: NOW }), { code: 'unauthenticated' });
    await assert.rejects(granted(undefined), { code: 'unauthenticated' });
  });
});
