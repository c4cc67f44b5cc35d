// A sign-in that is under way at the external issuer. The browser keeps it, sealed, in a cookie: nothing is stored that a
// visitor could fill, and one browser has one transaction at a time.

import { createHash, randomBytes } from 'node:crypto';
import { type Instant, MINUTE } from '../../domain/instant.ts';
import { createTokenSealer } from '../../domain/sealed-token.ts';

export interface Transaction {
  /** Comes back from the issuer with the code (RFC 6749 §10.12). */
  readonly state: string;
  /** Comes back inside the ID token. */
  readonly nonce: string;
  /** PKCE (RFC 7636): shown to the issuer with the code. */
  readonly verifier: string;
  /** A path of the web application. */
  readonly returnTo: string;
  readonly expiresAt: Instant;
}

/** The issuer may ask for a second factor meanwhile. */
export const TRANSACTION_LIFETIME = 10 * MINUTE;

export function beginTransaction(returnTo: string, now: Instant): Transaction {
  const random = () => randomBytes(32).toString('base64url');
  const expiresAt = now + TRANSACTION_LIFETIME;
  return { state: random(), nonce: random(), verifier: random(), returnTo, expiresAt };
}

/** The challenge of a verifier (S256, RFC 7636 §4.2). */
export function challengeOf({ verifier }: Transaction): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

export interface TransactionSealer {
  seal(transaction: Transaction): string;
  /** Undefined for a text that was not sealed here, and for a transaction that has ended. */
  open(sealed: string, now: Instant): Transaction | undefined;
}

/**
 * @param secret of the installation.
 * @param issuer a transaction with another issuer does not open: after a change of configuration, or in a mix-up.
 */
export function createTransactionSealer(secret: Buffer, issuer: string): TransactionSealer {
  const sealer = createTokenSealer(secret, 'sign-in at an external issuer');
  return {
    seal: (transaction) => sealer.seal(Buffer.from(JSON.stringify(transaction)), issuer),
    open: (sealed, now) => {
      const bytes = sealer.open(sealed, issuer);
      if (bytes === undefined) return undefined;
      const transaction = JSON.parse(bytes.toString()) as Transaction;
      return transaction.expiresAt > now ? transaction : undefined;
    },
  };
}
