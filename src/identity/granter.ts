// Who invites, changes and resets people, with the rights that he has at that instant. Nobody gives a role, a ceiling or an
// account that he lacks.

import { ServiceError } from '../domain/errors.ts';
import { includesScope, type Scope, scopesOf } from '../domain/scope.ts';
import { isVisible } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { Person, PersonReader } from '../store/person.ts';

/** The caller, as the gateway gives it. */
export interface ActingCaller {
  readonly credential: 'api-key' | 'sensor-key' | 'jwt' | 'session' | 'client';
  readonly id: string;
  readonly account: string;
  readonly actor: string;
  readonly scopes: ReadonlySet<string>;
  readonly ceiling: TlpMarking;
  readonly reliability: number;
}

/** The operator at the command line has all rights. */
export type Actor = 'cli' | ActingCaller;

export interface Rights extends Pick<Person, 'account' | 'tlpCeiling' | 'reliability'> {
  readonly scopes: readonly string[];
}

/** The id of a caller that is a person who has signed in. */
export function callerIdOf(person: Pick<Person, 'id'>): string {
  return `person|${person.id}`;
}

/** The person who has signed in. Undefined for any other caller. */
function personIdOf({ credential, id }: Pick<ActingCaller, 'credential' | 'id'>): string | undefined {
  return credential === 'session' ? id.slice('person|'.length) : undefined;
}

export function rightsOf({ account, tlpCeiling, reliability, roles }: Person): Rights {
  return { account, tlpCeiling, reliability, scopes: scopesOf(roles) };
}

/**
 * The rights to administer people; undefined for the operator. Rejects with ServiceError `permission_denied` for anybody but an
 * administrator, and for keys: a key ends, and what it makes would not. Rejects with `unauthenticated` for a person who was
 * disabled since the gateway let him in.
 * @param people of the transaction.
 */
export async function granterOf(
  people: Pick<PersonReader, 'byId'>,
  actor: Actor,
): Promise<Rights | undefined> {
  if (actor === 'cli') return undefined;
  if (actor.credential !== 'jwt' && actor.credential !== 'session') {
    throw new ServiceError('permission_denied', 'only a person may administer people', {
      reason: 'PERSON_REQUIRED',
    });
  }
  const rights = await rightsNow(people, actor);
  if (includesScope(rights.scopes, 'admin')) return rights;
  throw new ServiceError('permission_denied', 'the credential lacks the scope admin', {
    reason: 'INSUFFICIENT_SCOPE',
    metadata: { scope: 'admin' },
    scope: 'admin',
  });
}

async function rightsNow(people: Pick<PersonReader, 'byId'>, actor: ActingCaller): Promise<Rights> {
  const id = personIdOf(actor);
  if (id === undefined) {
    const { account, ceiling, reliability, scopes } = actor;
    return { account, tlpCeiling: ceiling, reliability, scopes: [...scopes] };
  }
  const person = await people.byId(id);
  if (person !== undefined && person.disabledAt === undefined) return rightsOf(person);
  throw new ServiceError('unauthenticated', 'the credential is not valid', {
    reason: 'CREDENTIAL_INVALID',
    cause: 'the person has just been disabled',
  });
}

/** @throws ServiceError `permission_denied` for rights beyond `own`. @param own undefined for the operator. */
export function requireGrantable(rights: Rights, own: Rights | undefined): void {
  if (own === undefined) return;
  const missing = rights.scopes.find((scope) => !includesScope(own.scopes, scope as Scope));
  if (missing !== undefined) throw beyond('ROLE', `a role with the scope ${missing}`);
  if (!isVisible(rights.tlpCeiling, own.tlpCeiling))
    throw beyond('CEILING', `the TLP ceiling ${rights.tlpCeiling}`);
  if (rights.reliability > own.reliability)
    throw beyond('RELIABILITY', `the reliability ${rights.reliability}`);
  if (rights.account !== own.account) throw beyond('ACCOUNT', 'a person of another account');
}

function beyond(what: 'ROLE' | 'CEILING' | 'RELIABILITY' | 'ACCOUNT', right: string): ServiceError {
  return new ServiceError('permission_denied', `${right} is beyond the rights of the caller`, {
    reason: `${what}_BEYOND_ISSUER`,
    metadata: { grant: right },
  });
}
