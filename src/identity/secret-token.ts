// Tokens of sessions and of one-time links: 32 random bytes. They cannot be guessed, so the store keeps a plain SHA-256.

import { hash, randomBytes } from 'node:crypto';

export interface SecretToken {
  readonly token: string;
  /** What the store finds it by. */
  readonly hash: string;
}

const SECRET_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

export function newSecretToken(): SecretToken {
  const token = randomBytes(SECRET_BYTES).toString('base64url');
  return { token, hash: hash('sha256', token, 'hex') };
}

/** Undefined for text that is no such token. */
export function secretTokenHash(text: string): string | undefined {
  return FORM.test(text) ? hash('sha256', text, 'hex') : undefined;
}
