// The people of the account, for administrators.

import { call } from './client.ts';
import type { TlpMarking } from './contract.ts';
import type { Role } from './session.ts';

export interface Person {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly account: string;
  readonly roles: readonly Role[];
  readonly tlpCeiling: TlpMarking;
  /** Signs in with an identity provider outside. */
  readonly external: boolean;
  readonly createTime: string;
  readonly disableTime?: string;
  readonly lastSignInTime?: string;
}

/** A person, and a link that works once. */
export interface LinkedPerson {
  readonly person: Person;
  readonly link: {
    /** Below the address of the service. */
    readonly path: string;
    readonly purpose: 'invitation' | 'reset' | 'sign-in';
    readonly expireTime: string;
  };
}

export interface Invitation {
  readonly login: string;
  readonly name?: string;
  readonly roles: readonly Role[];
  readonly tlpCeiling: TlpMarking;
}

export interface PersonChange {
  readonly id: string;
  readonly roles?: readonly Role[];
  readonly tlpCeiling?: TlpMarking;
  readonly disabled?: boolean;
}

export async function listPeople(): Promise<readonly Person[]> {
  return (await call<{ readonly people: readonly Person[] }>('/app/data/people')).people;
}

export function invitePerson(invitation: Invitation) {
  return call<LinkedPerson>('/app/data/people', { body: invitation });
}

export function changePerson(change: PersonChange) {
  return call<{ readonly person: Person }>('/app/data/people/change', { body: change });
}

export function resetPerson(id: string) {
  return call<LinkedPerson>('/app/data/people/reset', { body: { id } });
}
