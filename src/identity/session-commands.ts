// The commands on sessions: open one, end it, end all. A session is opened with a new token each time, so nobody can plant
// one in a browser before its person signs in.

import { randomUUID } from 'node:crypto';
import { ServiceError } from '../domain/errors.ts';
import type { Clock, Instant } from '../domain/instant.ts';
import type { Person, StoredPassword } from '../store/person.ts';
import type { Session, SignInMethod } from '../store/session.ts';
import type { LinkPurpose } from '../store/sign-in-link.ts';
import type { Stores, WriteTransaction } from '../store/stores.ts';
import { accessEntry, openingDetail } from './person-audit.ts';
import { idleEnd, SESSION_LIFETIME } from './session-life.ts';

/** A session to be opened. */
export interface Opening {
  /** SHA-256 of its token, hex. */
  readonly hash: string;
  readonly method: SignInMethod;
  readonly address: string;
  readonly agent: string;
  /** Of the session that the browser has until now: it ends. */
  readonly replacedHash?: string;
}

/** What a running service carries out for people. Arguments and answers are plain values. */
export interface SessionCommands {
  /**
   * Signs a person in. Rejects with `unauthenticated` for a person who is disabled or unknown, and for a password that
   * was set at another time than `passwordSetAt`.
   */
  openSession(personId: string, opening: Opening, passwordSetAt?: Instant): Promise<Session>;
  /** Signs in with a one-time link, which ends. Rejects with `unauthenticated` for any other token. */
  redeemLink(linkHash: string, opening: Opening): Promise<Session>;
  /** The same with an invitation or a reset, which sets the password. Everything older ends: sessions and passkeys. */
  acceptLink(linkHash: string, password: StoredPassword, opening: Opening): Promise<Session>;
  /** Sets the own password and ends all other sessions. */
  setPassword(personId: string, password: StoredPassword, keptSessionId: string): Promise<void>;
  /** Replaces the hash of a password that is still the same one. */
  renewPassword(personId: string, password: StoredPassword): Promise<void>;
  /** @returns whether there was such a session. */
  endSession(personId: string, sessionId: string): Promise<boolean>;
  /** @returns how many ended. */
  endSessions(personId: string): Promise<number>;
  touchSession(sessionId: string): Promise<void>;
}

/** Of one person. A new one ends the oldest. */
const MAX_SESSIONS = 20;
/** Sessions that are removed on the way when one is opened. */
const SWEEP = 100;

export function createSessionCommands(stores: Pick<Stores, 'write'>, clock: Clock): SessionCommands {
  return {
    openSession: (personId, opening, passwordSetAt) =>
      stores.write(async (tx) => {
        const password = passwordSetAt === undefined ? undefined : await tx.people.passwordOf(personId);
        if (password?.setAt !== passwordSetAt) throw refused('the password has just been changed');
        return open(tx, await personWhoMay(tx, personId), opening, clock());
      }),
    redeemLink: (linkHash, opening) =>
      stores.write(async (tx) => {
        const person = await takeLink(tx, linkHash, ['sign-in'], clock());
        return open(tx, person, opening, clock());
      }),
    acceptLink: (linkHash, password, opening) =>
      stores.write(async (tx) => {
        const person = await takeLink(tx, linkHash, ['invitation', 'reset'], clock());
        await tx.people.setPassword(person.id, password);
        await tx.passkeys.removeAll(person.id);
        await tx.sessions.removeOthers(person.id);
        await tx.audit(accessEntry('password.set', person, person.id, clock()));
        return open(tx, person, opening, clock());
      }),
    setPassword: (personId, password, keptSessionId) =>
      stores.write(async (tx) => {
        const person = await personWhoMay(tx, personId);
        await tx.people.setPassword(personId, password);
        await tx.sessions.removeOthers(personId, keptSessionId);
        await tx.audit(accessEntry('password.set', person, personId, clock()));
      }),
    renewPassword: (personId, password) =>
      stores.write(async (tx) => {
        const stored = await tx.people.passwordOf(personId);
        if (stored?.setAt === password.setAt) await tx.people.setPassword(personId, password);
      }),
    endSession: (personId, sessionId) =>
      stores.write(async (tx) => {
        const ended = await tx.sessions.remove(personId, sessionId);
        if (ended) await auditEnd(tx, personId, sessionId, clock());
        return ended;
      }),
    endSessions: (personId) =>
      stores.write(async (tx) => {
        const count = await tx.sessions.removeOthers(personId);
        await auditEnd(tx, personId, personId, clock(), { sessions: String(count) });
        return count;
      }),
    touchSession: (sessionId) => stores.write((tx) => tx.sessions.touch(sessionId, clock())),
  };
}

/** Opens a session inside a transaction that has found the person to be the right one. */
export async function open(
  tx: WriteTransaction,
  person: Person,
  { hash, method, address, agent, replacedHash }: Opening,
  now: Instant,
): Promise<Session> {
  await tx.sessions.forgetExpired(now, SWEEP);
  const replaced = replacedHash === undefined ? undefined : await tx.sessions.byHash(replacedHash);
  if (replaced !== undefined) await tx.sessions.remove(replaced.person.id, replaced.session.id);
  for (const [place, older] of (await tx.sessions.ofPerson(person.id)).entries()) {
    if (place >= MAX_SESSIONS - 1 || idleEnd(older) <= now) await tx.sessions.remove(person.id, older.id);
  }
  const session: Session = {
    id: randomUUID(),
    personId: person.id,
    method,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + SESSION_LIFETIME,
    address,
    agent,
  };
  await tx.sessions.add(session, hash);
  await tx.people.update({ ...person, lastSignInAt: now });
  await tx.audit(accessEntry('session.open', person, session.id, now, openingDetail(session)));
  return session;
}

/** Rejects with ServiceError `unauthenticated` for a person who is disabled or unknown. */
export async function personWhoMay(tx: Pick<WriteTransaction, 'people'>, personId: string): Promise<Person> {
  const person = await tx.people.byId(personId);
  if (person === undefined || person.disabledAt !== undefined) throw refused('the person is disabled');
  return person;
}

async function takeLink(
  tx: WriteTransaction,
  hash: string,
  purposes: readonly LinkPurpose[],
  now: Instant,
): Promise<Person> {
  const link = await tx.links.byHash(hash);
  if (link === undefined || link.expiresAt <= now || !purposes.includes(link.purpose)) throw linkInvalid();
  await tx.links.remove(link.personId);
  return personWhoMay(tx, link.personId);
}

async function auditEnd(
  tx: WriteTransaction,
  personId: string,
  target: string,
  now: Instant,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> {
  const person = await tx.people.byId(personId);
  if (person !== undefined) await tx.audit(accessEntry('session.close', person, target, now, detail));
}

/** One answer for every link that does not work: used, expired, replaced or never made. */
export function linkInvalid(): ServiceError {
  return new ServiceError('unauthenticated', 'the link is not valid any more; ask for a new one', {
    reason: 'LINK_INVALID',
  });
}

/** One answer for every sign-in that fails. @param cause for the log. */
export function refused(cause: string): ServiceError {
  return new ServiceError('unauthenticated', 'the login or the password is wrong', {
    reason: 'SIGN_IN_REFUSED',
    cause,
  });
}
