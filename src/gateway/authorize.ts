// Authorization: what a caller may do. Permission is judged before existence.

import { ServiceError } from '../domain/errors.ts';
import { includesScope, type Scope } from '../domain/scope.ts';
import type { Caller } from './caller.ts';

/** Whether the caller has the scope, by exact match. `admin` includes all scopes. A sensor key has `events:write` only. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  if (caller.credential === 'sensor-key') return scope === 'events:write';
  return includesScope(caller.scopes, scope);
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

/** Whether a person acts: signed in here, or with a token of an identity provider. */
export function isPerson({ credential }: Pick<Caller, 'credential'>): boolean {
  return credential === 'jwt' || credential === 'session';
}

/** Whether the person is one of this service, who can be disabled and changed here at any time. */
export function isKnownPerson({ id }: Pick<Caller, 'id'>): boolean {
  return id.startsWith('person|');
}

/** For acts that only a person may do. @throws ServiceError `permission_denied` for any API key. */
export function requirePerson(caller: Caller): void {
  if (isPerson(caller)) return;
  const message = 'only a person, signed in or with an identity token, may do this';
  throw new ServiceError('permission_denied', message, { reason: 'PERSON_REQUIRED' });
}

/** For TAXII, which takes keys. @throws ServiceError `permission_denied` for a person, and for any token. */
export function requireApiKey(caller: Caller): void {
  if (!isPerson(caller) && caller.credential !== 'client') return;
  throw new ServiceError('permission_denied', 'TAXII needs an API key, not an identity token', {
    reason: 'API_KEY_REQUIRED',
  });
}
