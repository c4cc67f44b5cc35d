import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signedInPerson } from './person-claims.ts';

const CLAIMS = {
  sub: 's',
  preferred_username: ' ann ',
  name: 'Ann',
  email: 'ann@plant.example',
  email_verified: true,
  groups: ['analyst', 7, null],
  realm_access: { roles: ['reader'] },
  'flat.name': 'reader analyst',
};

describe('the claims of a person', () => {
  it('give names, a verified address and roles', () => {
    assert.deepEqual(signedInPerson(CLAIMS, 'groups'), {
      subject: 's',
      login: 'ann',
      name: 'Ann',
      email: 'ann@plant.example',
      roles: ['analyst'],
      isComplete: true,
    });
  });

  it('give no address that the issuer has not verified', () => {
    for (const email_verified of [false, undefined, 'true', 1])
      assert.equal(signedInPerson({ ...CLAIMS, email_verified }, undefined).email, undefined);
  });

  it('name roles at a path or under a name with dots', () => {
    assert.deepEqual(signedInPerson(CLAIMS, 'realm_access.roles').roles, ['reader']);
    assert.deepEqual(signedInPerson(CLAIMS, 'flat.name').roles, ['reader', 'analyst']);
    for (const name of ['absent', 'realm_access', 'sub.length', 'constructor.name', '__proto__'])
      assert.equal(signedInPerson(CLAIMS, name).roles, undefined, name);
  });

  it('are incomplete without a name or the roles', () => {
    assert.equal(signedInPerson({ sub: 's' }, undefined).isComplete, false);
    assert.equal(signedInPerson(CLAIMS, 'absent').isComplete, false);
  });

  it('give no text that cannot be shown', () => {
    for (const text of ['', '  ', 'a\u202eb', 'a\nb', 'x'.repeat(201), 7, null])
      assert.equal(signedInPerson({ ...CLAIMS, name: text }, undefined).name, undefined);
  });
});
