// The lines of the audit log about people and their sessions.

import type { Instant } from '../domain/instant.ts';
import type { Person } from '../store/person.ts';
import type { Session } from '../store/session.ts';
import type { AuditEntry } from '../store/stores.ts';
import type { Actor } from './granter.ts';

export function personEntry(
  action: 'person.create' | 'person.change' | 'person.reset',
  person: Person,
  actor: Actor,
  now: Instant,
): AuditEntry {
  const { id, login, account, roles, tlpCeiling, disabledAt } = person;
  return {
    at: now,
    actor: actor === 'cli' ? 'cli' : actor.actor,
    action,
    target: id,
    detail: {
      login,
      account,
      roles: roles.join(' '),
      tlpCeiling,
      ...(disabledAt === undefined ? {} : { disabled: 'true' }),
    },
  };
}

/** What a person did with the own access. */
export function accessEntry(
  action: 'session.open' | 'session.close' | 'password.set' | 'passkey.add' | 'passkey.remove',
  person: Pick<Person, 'login' | 'account'>,
  target: string,
  now: Instant,
  detail: Readonly<Record<string, string>> = {},
): AuditEntry {
  return { at: now, actor: person.login, action, target, detail: { account: person.account, ...detail } };
}

export function openingDetail({ method, address }: Session): Readonly<Record<string, string>> {
  return { method, address };
}
