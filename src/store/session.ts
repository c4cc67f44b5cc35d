// Stored sessions of people who are signed in. The store holds the SHA-256 of a token and never the token.

import type { Instant } from '../domain/instant.ts';
import type { Person } from './person.ts';

export type SignInMethod = 'password' | 'passkey' | 'link' | 'openid';

export interface Session {
  /** UUID, by which a person recognises and ends the session. It opens nothing. */
  readonly id: string;
  readonly personId: string;
  readonly method: SignInMethod;
  readonly createdAt: Instant;
  /** Written every few minutes at most. */
  readonly lastUsedAt: Instant;
  /** The absolute end. */
  readonly expiresAt: Instant;
  /** Network of the address that signed in. */
  readonly address: string;
  /** The first characters of its User-Agent. */
  readonly agent: string;
}

export interface SignedIn {
  readonly session: Session;
  /** As stored now, disabled or not. */
  readonly person: Person;
}

export interface SessionReader {
  /** @param hash SHA-256 of the token, hex. Sessions that have ended by time are found too. */
  byHash(hash: string): Promise<SignedIn | undefined>;
  /** Newest first. */
  ofPerson(personId: string): Promise<readonly Session[]>;
}

export interface SessionWriter extends SessionReader {
  add(session: Session, hash: string): Promise<void>;
  touch(id: string, at: Instant): Promise<void>;
  /** @returns whether there was such a session of this person. */
  remove(personId: string, id: string): Promise<boolean>;
  /** Removes all sessions of a person but one. @returns how many. */
  removeOthers(personId: string, keptId?: string): Promise<number>;
  /** Removes sessions whose absolute end has passed, oldest first. */
  forgetExpired(now: Instant, limit: number): Promise<number>;
}
