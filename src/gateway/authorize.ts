// Authorization: what a caller may do. Permission is judged before existence.

import { ServiceError } from '../domain/errors.ts';
import type { Caller, Scope } from './caller.ts';

/** Whether the caller has the scope, by exact match. `admin` includes all scopes. A sensor key has `events:write` only. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  if (caller.credential === 'sensor-key') return scope === 'events:write';
  return caller.scopes.has(scope) || caller.scopes.has('admin');
}

/** The same for the scopes of a key that is judged and not the caller's. */
export function includesScope(scopes: readonly string[], scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes('admin');
}

/** @throws ServiceError `permission_denied` that names the missing scope (RFC 6750 §3.1). */
export function requireScope(caller: Caller, scope: Scope): void {
  if (hasScope(caller, scope)) return;
  throw new ServiceError('permission_denied', `the credential lacks the scope ${scope}`, {
    reason: 'INSUFFICIENT_SCOPE',
    metadata: { scope },
    scope,
  });
}

/** For acts that need a client credential of any scope. @throws ServiceError `permission_denied` for a sensor key. */
export function requireClient(caller: Caller): void {
  if (caller.credential !== 'sensor-key') return;
  throw new ServiceError('permission_denied', 'a sensor key cannot read', {
    reason: 'CLIENT_CREDENTIAL_REQUIRED',
  });
}

/** For acts that only a person may do. @throws ServiceError `permission_denied` for any API key. */
export function requirePerson(caller: Caller): void {
  if (caller.credential === 'jwt') return;
  const message = 'only a person, signed in with an identity token, may do this';
  throw new ServiceError('permission_denied', message, { reason: 'PERSON_REQUIRED' });
}

/** For TAXII, which serves machines. @throws ServiceError `permission_denied` for an identity token. */
export function requireApiKey(caller: Caller): void {
  if (caller.credential !== 'jwt') return;
  throw new ServiceError('permission_denied', 'TAXII needs an API key, not an identity token', {
    reason: 'API_KEY_REQUIRED',
  });
}
