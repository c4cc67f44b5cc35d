// Stored keys with which the embedded OpenID provider signs.

import type { JsonWebKey } from 'node:crypto';
import type { Instant } from '../domain/instant.ts';

export interface OpenidKey {
  /** The `kid` of its tokens. */
  readonly id: string;
  readonly createdAt: Instant;
  /** A key is published before it signs, so that everybody who verifies has it by then. */
  readonly signsFrom: Instant;
  /** With the private part. */
  readonly jwk: JsonWebKey;
}

export interface OpenidKeyReader {
  /** Oldest first. There are a few at most. */
  list(): Promise<readonly OpenidKey[]>;
}

export interface OpenidKeyWriter extends OpenidKeyReader {
  add(key: OpenidKey): Promise<void>;
  remove(id: string): Promise<void>;
}
