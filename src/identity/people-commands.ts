// The commands on people: invite, change, reset. Each writes the audit log in its own transaction, and judges in it the
// rights of whoever acts.

import { randomUUID } from 'node:crypto';
import { DEFAULT_ACCOUNT } from '../domain/account.ts';
import { ServiceError } from '../domain/errors.ts';
import { type Clock, DAY, HOUR, type Instant } from '../domain/instant.ts';
import { isVisible } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { Person } from '../store/person.ts';
import type { LinkPurpose, SignInLink } from '../store/sign-in-link.ts';
import type { Stores, WriteTransaction } from '../store/stores.ts';
import { type Actor, granterOf, type Rights, requireGrantable, rightsOf } from './granter.ts';
import { personEntry } from './person-audit.ts';
import {
  canonicalLogin,
  type PersonChange,
  type PersonSpec,
  requireSoundPerson,
  rolesAmong,
} from './person-spec.ts';

/** What a running service carries out for an administrator. Arguments and answers are plain values. */
export interface PeopleCommands {
  /** @see invitePerson */
  invitePerson(spec: PersonSpec, actor: Actor, linkHash: string): Promise<Linked>;
  /** @see changePerson */
  changePerson(id: string, change: PersonChange, actor: Actor): Promise<Person>;
  /** @see resetPerson */
  resetPerson(id: string, actor: Actor, linkHash: string): Promise<Linked>;
}

export function createPeopleCommands(stores: Stores, clock: Clock): PeopleCommands {
  return {
    invitePerson: (spec, actor, linkHash) => invitePerson(stores, spec, actor, linkHash, clock()),
    changePerson: (id, change, actor) => changePerson(stores, id, change, actor, clock()),
    resetPerson: (id, actor, linkHash) => resetPerson(stores, id, actor, linkHash, clock()),
  };
}

/** A person and the one-time link that was made for him. */
export interface Linked {
  readonly person: Person;
  readonly link: SignInLink;
}

/** People of an account. They are listed at once. */
export const MAX_PEOPLE = 1_000;
const LINK_LIFETIMES: Readonly<Record<LinkPurpose, number>> = {
  'sign-in': HOUR,
  invitation: 7 * DAY,
  reset: DAY,
};
export const DEFAULT_CEILING: TlpMarking = 'AMBER_STRICT';
/** People report what they and their sensors saw themselves. */
export const DEFAULT_RELIABILITY = 0.9;
const FIRST_LOGIN = 'admin';

/**
 * Adds a person who has no password yet. The link lets him choose one.
 * Rejects with ServiceError `invalid_argument` that names every fault, `permission_denied` for rights that the actor lacks,
 * `already_exists` for a login that is taken, `failed_precondition` for an account with MAX_PEOPLE people.
 */
export function invitePerson(
  stores: Pick<Stores, 'write'>,
  spec: PersonSpec,
  actor: Actor,
  linkHash: string,
  now: Instant,
): Promise<Linked> {
  return stores.write(async (tx) => {
    const own = await granterOf(tx.people, actor);
    const login = canonicalLogin(spec.login);
    requireSoundPerson({ ...spec, login });
    const person: Person = {
      id: randomUUID(),
      login,
      name: spec.name ?? login,
      account: spec.account ?? own?.account ?? DEFAULT_ACCOUNT,
      roles: rolesAmong(spec.roles),
      tlpCeiling: spec.tlpCeiling ?? defaultCeiling(own),
      reliability: Math.min(DEFAULT_RELIABILITY, own?.reliability ?? 1),
      createdBy: actor === 'cli' ? 'cli' : actor.id,
      createdAt: now,
    };
    requireGrantable(rightsOf(person), own);
    await requireFree(tx, person);
    await tx.people.add(person);
    await tx.audit(personEntry('person.create', person, actor, now));
    return { person, link: await putLink(tx, person, 'invitation', linkHash, now) };
  });
}

/**
 * Makes the first administrator of a store without people, and a link that signs him in. Undefined if there are people. He
 * stands for the operator, so he has every right.
 */
export function makeFirstAdministrator(
  stores: Pick<Stores, 'write'>,
  linkHash: string,
  now: Instant,
): Promise<Linked | undefined> {
  return stores.write(async (tx) => {
    if ((await tx.people.list()).length > 0) return undefined;
    const person: Person = {
      id: randomUUID(),
      login: FIRST_LOGIN,
      name: 'Administrator',
      account: DEFAULT_ACCOUNT,
      roles: ['administrator'],
      tlpCeiling: 'RED',
      reliability: 1,
      createdBy: 'cli',
      createdAt: now,
    };
    await tx.people.add(person);
    await tx.audit(personEntry('person.create', person, 'cli', now));
    return { person, link: await putLink(tx, person, 'sign-in', linkHash, now) };
  });
}

/**
 * Changes rights, the name, or whether a person may sign in. A disabled person's sessions end.
 * Rejects with ServiceError as invitePerson, with `not_found` for a person of another account, and with
 * `failed_precondition` for what would leave an account without an administrator.
 */
export function changePerson(
  stores: Pick<Stores, 'write'>,
  id: string,
  change: PersonChange,
  actor: Actor,
  now: Instant,
): Promise<Person> {
  return stores.write(async (tx) => {
    const own = await granterOf(tx.people, actor);
    const before = await findPerson(tx, id, own?.account);
    requireSoundPerson(change);
    requireGrantable(rightsOf(before), own);
    const { disabledAt, ...rest } = before;
    const disabled = change.disabled ?? disabledAt !== undefined;
    const after: Person = {
      ...rest,
      name: change.name ?? before.name,
      account: change.account ?? before.account,
      roles: change.roles === undefined ? before.roles : rolesAmong(change.roles),
      tlpCeiling: change.tlpCeiling ?? before.tlpCeiling,
      ...(disabled ? { disabledAt: disabledAt ?? now } : {}),
    };
    requireGrantable(rightsOf(after), own);
    await requireAdministratorLeft(tx, before, after);
    await tx.people.update(after);
    if (disabled) {
      await tx.sessions.removeOthers(id);
      await tx.links.remove(id);
    }
    await tx.audit(personEntry('person.change', after, actor, now));
    return after;
  });
}

/**
 * Makes a link with which a person sets a new password. Until it is used, everything stays as it is.
 * Rejects with ServiceError as changePerson, and with `failed_precondition` for a disabled person.
 */
export function resetPerson(
  stores: Pick<Stores, 'write'>,
  id: string,
  actor: Actor,
  linkHash: string,
  now: Instant,
): Promise<Linked> {
  return stores.write(async (tx) => {
    const own = await granterOf(tx.people, actor);
    const person = await findPerson(tx, id, own?.account);
    // Whoever has the link has the rights of the person.
    requireGrantable(rightsOf(person), own);
    if (person.disabledAt !== undefined) {
      throw new ServiceError('failed_precondition', 'the person is disabled; enable the person first', {
        reason: 'PERSON_DISABLED',
        metadata: { id },
      });
    }
    await tx.audit(personEntry('person.reset', person, actor, now));
    return { person, link: await putLink(tx, person, 'reset', linkHash, now) };
  });
}

async function putLink(
  tx: WriteTransaction,
  person: Person,
  purpose: LinkPurpose,
  hash: string,
  now: Instant,
): Promise<SignInLink> {
  const link = { personId: person.id, purpose, createdAt: now, expiresAt: now + LINK_LIFETIMES[purpose] };
  await tx.links.put(link, hash);
  return link;
}

/** @param account undefined for all accounts. */
async function findPerson(tx: WriteTransaction, id: string, account: string | undefined): Promise<Person> {
  const person = await tx.people.byId(id);
  if (person !== undefined && (account === undefined || person.account === account)) return person;
  throw new ServiceError('not_found', 'no such person', {
    reason: 'PERSON_NOT_FOUND',
    metadata: { id: id.slice(0, 64) },
  });
}

async function requireFree(tx: WriteTransaction, { login, account }: Person): Promise<void> {
  if ((await tx.people.byLogin(login)) !== undefined) {
    throw new ServiceError('already_exists', `the login ${login} is taken`, {
      reason: 'LOGIN_TAKEN',
      metadata: { login },
    });
  }
  if ((await tx.people.list(account)).length < MAX_PEOPLE) return;
  throw new ServiceError('failed_precondition', `the account has ${MAX_PEOPLE} people`, {
    reason: 'TOO_MANY_PEOPLE',
    metadata: { account, limit: String(MAX_PEOPLE) },
  });
}

/** An account that lost its last administrator could be entered by nobody but the operator. */
async function requireAdministratorLeft(tx: WriteTransaction, before: Person, after: Person): Promise<void> {
  const administers = ({ roles, disabledAt }: Person) =>
    disabledAt === undefined && roles.includes('administrator');
  if (!administers(before) || (administers(after) && after.account === before.account)) return;
  const others = (await tx.people.list(before.account)).filter(
    (one) => one.id !== before.id && administers(one),
  );
  if (others.length > 0) return;
  throw new ServiceError('failed_precondition', `${before.login} is the last administrator of the account`, {
    reason: 'LAST_ADMINISTRATOR',
    metadata: { id: before.id, account: before.account },
  });
}

function defaultCeiling(own: Rights | undefined): TlpMarking {
  return own === undefined || isVisible(DEFAULT_CEILING, own.tlpCeiling) ? DEFAULT_CEILING : own.tlpCeiling;
}
