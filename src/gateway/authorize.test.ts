import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import { SCOPES } from '../domain/scope.ts';
import { requireApiKey, requireClient, requirePerson, requireScope } from './authorize.ts';
import type { Caller } from './caller.ts';

const caller = (credential: Caller['credential'], ...scopes: string[]): Caller => ({
  credential,
  id: 'id',
  account: 'default',
  actor: 'id',
  name: 'name',
  scopes: new Set(scopes),
  ceiling: 'AMBER_STRICT',
  reliability: 0.7,
});

const denied = (act: () => void, reason: string, scope?: string): void => {
  assert.throws(act, (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'permission_denied');
    assert.equal(error.details.reason, reason);
    assert.equal(error.details.scope, scope);
    return true;
  });
};

describe('requireScope', () => {
  it('takes the scope itself and nothing like it', () => {
    requireScope(caller('api-key', 'indicators:read'), 'indicators:read');
    for (const near of [
      'indicators:reader',
      'indicators',
      'indicators:*',
      'Indicators:Read',
      '*',
      'indicators:rea',
      '',
    ]) {
      denied(
        () => requireScope(caller('jwt', near), 'indicators:read'),
        'INSUFFICIENT_SCOPE',
        'indicators:read',
      );
    }
  });

  it('lets admin do everything', () => {
    for (const scope of SCOPES) requireScope(caller('jwt', 'admin'), scope);
  });

  it('lets no collection of other scopes do the work of admin', () => {
    const others = SCOPES.filter((scope) => scope !== 'admin');
    denied(() => requireScope(caller('api-key', ...others), 'admin'), 'INSUFFICIENT_SCOPE', 'admin');
  });

  it('lets a sensor key report events and nothing else, whatever scopes it carries', () => {
    requireScope(caller('sensor-key'), 'events:write');
    for (const scope of SCOPES.filter((name) => name !== 'events:write')) {
      denied(() => requireScope(caller('sensor-key', 'admin', scope), scope), 'INSUFFICIENT_SCOPE', scope);
    }
  });
});

describe('kinds of credential', () => {
  it('requireClient refuses sensor keys', () => {
    requireClient(caller('api-key'));
    requireClient(caller('jwt'));
    denied(() => requireClient(caller('sensor-key', 'admin')), 'CLIENT_CREDENTIAL_REQUIRED');
  });

  it('requirePerson refuses every API key', () => {
    requirePerson(caller('jwt'));
    denied(() => requirePerson(caller('api-key', 'admin')), 'PERSON_REQUIRED');
    denied(() => requirePerson(caller('sensor-key')), 'PERSON_REQUIRED');
  });

  it('requireApiKey refuses identity tokens', () => {
    requireApiKey(caller('api-key'));
    denied(() => requireApiKey(caller('jwt', 'admin')), 'API_KEY_REQUIRED');
  });
});
