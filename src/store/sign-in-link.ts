// Stored one-time links: to sign in, to accept an invitation, to set a new password. The store holds the SHA-256 of a token.

import type { Instant } from '../domain/instant.ts';

export type LinkPurpose = 'sign-in' | 'invitation' | 'reset';

export interface SignInLink {
  readonly personId: string;
  readonly purpose: LinkPurpose;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export interface SignInLinkReader {
  /** @param hash SHA-256 of the token, hex. Links that have expired are found too. */
  byHash(hash: string): Promise<SignInLink | undefined>;
  /** Expired ones too. */
  ofPerson(personId: string): Promise<SignInLink | undefined>;
}

export interface SignInLinkWriter extends SignInLinkReader {
  /** A person has one link at most: a new one takes the place of the one before. */
  put(link: SignInLink, hash: string): Promise<void>;
  /** Ends the link of a person, if there is one. */
  remove(personId: string): Promise<void>;
}
