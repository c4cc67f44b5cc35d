// Stored passkeys: public keys with which people sign in (WebAuthn).

import type { Instant } from '../domain/instant.ts';

export interface Passkey {
  /** The credential id, base64url. */
  readonly id: string;
  readonly personId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** Signatures that the authenticator has counted; 0 if it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** As the person named it. */
  readonly name: string;
  /** Whether other devices of the person have it too. */
  readonly synced: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt?: Instant;
}

export interface PasskeyReader {
  byId(id: string): Promise<Passkey | undefined>;
  /** Oldest first. */
  ofPerson(personId: string): Promise<readonly Passkey[]>;
}

export interface PasskeyWriter extends PasskeyReader {
  add(passkey: Passkey): Promise<void>;
  used(id: string, counter: number, at: Instant): Promise<void>;
  /** @returns whether the person had such a passkey. */
  remove(personId: string, id: string): Promise<boolean>;
  removeAll(personId: string): Promise<void>;
}
