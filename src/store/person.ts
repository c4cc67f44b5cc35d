// Stored people: those who sign in. A password is stored as a hash, apart from the person, so that no listing reads it.

import type { Instant } from '../domain/instant.ts';
import type { Role } from '../domain/scope.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

export interface Person {
  /** UUID. */
  readonly id: string;
  /** Lower case, unique in the store. The audit log names people by it. */
  readonly login: string;
  readonly name: string;
  readonly account: string;
  readonly roles: readonly Role[];
  readonly tlpCeiling: TlpMarking;
  /** The highest reliability that reports of this person may claim, 0 to 1. */
  readonly reliability: number;
  /** `person|` and the id of a person, the id of another credential, or `cli`. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly disabledAt?: Instant;
  readonly lastSignInAt?: Instant;
  /** Who the person is for an identity provider outside. */
  readonly external?: ExternalIdentity;
}

export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** A hash of a password with everything that is needed to make it again. */
export interface StoredPassword {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  /** Base64. */
  readonly salt: string;
  /** Base64. */
  readonly hash: string;
  readonly setAt: Instant;
}

export interface PersonReader {
  /** Disabled people are found too, by every method. */
  byId(id: string): Promise<Person | undefined>;
  byLogin(login: string): Promise<Person | undefined>;
  byExternal(external: ExternalIdentity): Promise<Person | undefined>;
  /** By login. The rules of identity/ bound how many there can be. */
  list(account?: string): Promise<readonly Person[]>;
  passwordOf(id: string): Promise<StoredPassword | undefined>;
  /** Whether anybody has signed in yet. */
  anySignIn(): Promise<boolean>;
}

export interface PersonWriter extends Omit<PersonReader, 'anySignIn'> {
  add(person: Person): Promise<void>;
  /** Replaces the person with this id. The login and the time of creation stay. */
  update(person: Person): Promise<void>;
  setPassword(id: string, password: StoredPassword): Promise<void>;
}
