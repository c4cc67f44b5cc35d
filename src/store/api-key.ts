// Stored API keys. The store never holds the key itself, only its SHA-256.

import type { Instant } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

export interface ApiKey {
  /** UUID. */
  readonly id: string;
  /** Set after a rotation: the id of the first key of the line. All keys of a line report as one source. */
  readonly firstKeyId?: string;
  readonly name: string;
  readonly account: string;
  /** A sensor key opens ingest only and reads nothing. */
  readonly sensor: boolean;
  readonly scopes: readonly string[];
  readonly tlpCeiling: TlpMarking;
  /** The highest reliability that its reports may claim, 0 to 1. */
  readonly reliability: number;
  /** The sources for which its reports may speak, sorted; `*` stands for every name. Empty: for the key itself only. */
  readonly sources: readonly string[];
  /** CIDR ranges from which the key may be used. Empty: from anywhere. */
  readonly sourceRanges: readonly string[];
  /** The first and the last four characters of the key, for display. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: Instant;
  readonly expiresAt?: Instant;
  readonly revokedAt?: Instant;
}

export interface ApiKeyReader {
  /** @param hash SHA-256 of the whole key, hex. Revoked and expired keys are found too: the gateway rejects them. */
  byHash(hash: string): Promise<ApiKey | undefined>;
  /** Newest first. */
  list(account?: string): Promise<readonly ApiKey[]>;
}

export interface ApiKeyWriter {
  add(key: ApiKey, hash: string): Promise<void>;
  /** Sets revokedAt, unless it is set. Resolves to undefined if the key does not exist. */
  revoke(id: string, at: Instant): Promise<ApiKey | undefined>;
  /** Sets the expiry, for a rotation with overlap. Resolves to undefined if the key does not exist. */
  expire(id: string, at: Instant): Promise<ApiKey | undefined>;
}
