// Stored clients of the embedded OpenID provider: dashboards and services that ask it for tokens.

import type { Instant } from '../domain/instant.ts';
import type { Scope } from '../domain/scope.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

export interface OpenidClient {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  readonly account: string;
  /** Has a secret. A public client runs in browsers, which keep none. */
  readonly confidential: boolean;
  /** Compared character by character. A client without one signs in for itself only. */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  /** The most that its tokens may carry, whoever signs in. */
  readonly scopes: readonly Scope[];
  readonly tlpCeiling: TlpMarking;
  /** The highest reliability that reports with its tokens may claim, 0 to 1. */
  readonly reliability: number;
  /** The person who answers for it: what it does by itself ends with this person and stays within their rights. */
  readonly ownerId?: string;
  /** `cli`, or who else made it. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly revokedAt?: Instant;
}

export interface OpenidClientReader {
  /** Revoked clients are found too. */
  byId(id: string): Promise<OpenidClient | undefined>;
  /** SHA-256 of the secret, hex. Undefined for a public client. */
  secretHashOf(id: string): Promise<string | undefined>;
  /** Newest first. */
  list(account?: string): Promise<readonly OpenidClient[]>;
}

export interface OpenidClientWriter extends Pick<OpenidClientReader, 'byId' | 'list'> {
  add(client: OpenidClient, secretHash: string | undefined): Promise<void>;
  /** Sets revokedAt, unless it is set. Resolves to undefined if the client does not exist. */
  revoke(id: string, at: Instant): Promise<OpenidClient | undefined>;
}
