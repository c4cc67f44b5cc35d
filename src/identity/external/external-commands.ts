// Signing in whom an external issuer vouches for: finds the person, binds an invitation, or makes a new one. It runs in the thread
// that owns the writing connection, in one transaction with the session.

import { randomUUID } from 'node:crypto';
import { DEFAULT_ACCOUNT } from '../../domain/account.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Clock, Instant } from '../../domain/instant.ts';
import { ROLES, type Role } from '../../domain/scope.ts';
import type { Person } from '../../store/person.ts';
import type { Session } from '../../store/session.ts';
import type { AuditEntry, Stores, WriteTransaction } from '../../store/stores.ts';
import { DEFAULT_CEILING, DEFAULT_RELIABILITY, MAX_PEOPLE } from '../people-commands.ts';
import { canonicalLogin, isLogin } from '../person-spec.ts';
import { type Opening, open } from '../session-commands.ts';
import type { SignedInPerson } from './person-claims.ts';

export interface ExternalSignIn extends Omit<SignedInPerson, 'isComplete'> {
  readonly issuer: string;
  /** Of a person who is not known, and of one whose claim of roles has none that is known. Undefined: no role. */
  readonly defaultRole: Role | undefined;
}

export interface ExternalCommands {
  /** Rejects with ServiceError `unauthenticated` for a person who is disabled, and for one who may not come in. */
  openExternalSession(signIn: ExternalSignIn, opening: Opening): Promise<Session>;
}

export function createExternalCommands(stores: Pick<Stores, 'write'>, clock: Clock): ExternalCommands {
  return {
    openExternalSession: (signIn, opening) =>
      stores.write(async (tx) => {
        const now = clock();
        const person = await knownPerson(tx, signIn, now);
        if (person.disabledAt !== undefined) throw refused('the person is disabled');
        return open(tx, person, opening, now);
      }),
  };
}

async function knownPerson(tx: WriteTransaction, signIn: ExternalSignIn, now: Instant): Promise<Person> {
  const { issuer, subject } = signIn;
  const known = await tx.people.byExternal({ issuer, subject });
  if (known !== undefined) return refreshed(tx, known, signIn, now);
  const invited = await invitedPerson(tx, signIn, now);
  if (invited !== undefined) {
    const bound: Person = { ...invited, external: { issuer, subject } };
    await tx.links.remove(invited.id);
    await tx.people.update(bound);
    await tx.audit(entryOf('person.bind', bound, now));
    return refreshed(tx, bound, signIn, now);
  }
  const roles = rolesOf(signIn);
  if (roles.length === 0) throw refused('nobody has invited the person, and there is no role for strangers');
  if ((await tx.people.list(DEFAULT_ACCOUNT)).length >= MAX_PEOPLE) throw refused('the account is full');
  const person: Person = {
    id: randomUUID(),
    login: await freeLogin(tx, signIn),
    name: signIn.name ?? signIn.login ?? signIn.email ?? 'unnamed',
    account: DEFAULT_ACCOUNT,
    roles,
    tlpCeiling: DEFAULT_CEILING,
    reliability: DEFAULT_RELIABILITY,
    createdBy: 'openid',
    createdAt: now,
    external: { issuer, subject },
  };
  await tx.people.add(person);
  await tx.audit(entryOf('person.create', person, now));
  return person;
}

/**
 * An invitation that nobody has accepted and whose login is the address that the issuer has verified. The administrator named
 * the address, and the issuer is the only one that the operator trusts: who owns the address is who was invited. A person who
 * has a password, or has signed in, has no open invitation and is never taken over.
 */
async function invitedPerson(
  tx: WriteTransaction,
  { email }: ExternalSignIn,
  now: Instant,
): Promise<Person | undefined> {
  const person = email === undefined ? undefined : await tx.people.byLogin(canonicalLogin(email));
  if (person === undefined) return undefined;
  const link = await tx.links.ofPerson(person.id);
  return link?.purpose === 'invitation' && link.expiresAt > now ? person : undefined;
}

/** Where the issuer names roles, they are those of the person, at each sign-in. */
async function refreshed(
  tx: WriteTransaction,
  person: Person,
  signIn: ExternalSignIn,
  now: Instant,
): Promise<Person> {
  if (signIn.roles === undefined) return person;
  const roles = rolesOf(signIn);
  if (roles.length === 0) throw refused('the issuer gives the person no role');
  if (roles.join() === person.roles.join()) return person;
  const changed: Person = { ...person, roles };
  await tx.people.update(changed);
  await tx.audit(entryOf('person.change', changed, now));
  return changed;
}

function rolesOf({ roles = [], defaultRole }: ExternalSignIn): readonly Role[] {
  const named = ROLES.filter((role) => roles.includes(role));
  if (named.length > 0) return named;
  return defaultRole === undefined ? [] : [defaultRole];
}

/** Attempts to find a login that nobody has. */
const MAX_SUFFIX = 100;

/** A login is never that of somebody else, however the issuer names its people. */
async function freeLogin(tx: WriteTransaction, { login, email, subject }: ExternalSignIn): Promise<string> {
  const wished = [login, email].map((text) => canonicalLogin(text ?? '')).find(isLogin);
  const base = (
    wished ??
    `openid-${subject
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .slice(0, 20)}0`
  ).slice(0, 90);
  for (let suffix = 1; suffix <= MAX_SUFFIX; suffix++) {
    const candidate = suffix === 1 ? base : `${base}-${suffix}`;
    if (isLogin(candidate) && (await tx.people.byLogin(candidate)) === undefined) return candidate;
  }
  throw new ServiceError('failed_precondition', 'there is no free login for the person', {
    reason: 'LOGIN_TAKEN',
  });
}

/** The issuer acts here, not a person of the store. */
function entryOf(action: string, person: Person, now: Instant): AuditEntry {
  const { id, login, account, roles, external } = person;
  const detail = { login, account, roles: roles.join(' '), issuer: external?.issuer ?? '' };
  return { at: now, actor: 'openid', action, target: id, detail };
}

/** @param cause for the log. */
function refused(cause: string): ServiceError {
  return new ServiceError('unauthenticated', 'you may not sign in here; ask your administrator', {
    reason: 'SIGN_IN_REFUSED',
    cause,
  });
}
