// API keys as they are kept: never the key itself, only its SHA-256.

import type { Instant } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

export interface ApiKey {
  /** UUID. */
  readonly id: string;
  /** Of a successor of a rotated key: the id of the first key of their line, under which all of them report. */
  readonly firstKeyId?: string;
  readonly name: string;
  readonly account: string;
  /** A sensor key opens ingest only and reads nothing. */
  readonly sensor: boolean;
  readonly scopes: readonly string[];
  readonly tlpCeiling: TlpMarking;
  /** What its reports may claim at most, 0 to 1. */
  readonly reliability: number;
  /** CIDR ranges it may be used from; empty = anywhere. */
  readonly sourceRanges: readonly string[];
  /** First characters and last four of the key, to recognise it by. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: Instant;
  readonly expiresAt?: Instant;
  readonly revokedAt?: Instant;
}

export interface ApiKeyReader {
  /** @param hash SHA-256 of the whole key, hex. Revoked and expired keys are returned too: the gateway judges. */
  byHash(hash: string): Promise<ApiKey | undefined>;
  /** Newest first. */
  list(account?: string): Promise<readonly ApiKey[]>;
}

export interface ApiKeyWriter {
  add(key: ApiKey, hash: string): Promise<void>;
  /** Sets revokedAt when it is not set; undefined when there is no such key. */
  revoke(id: string, at: Instant): Promise<ApiKey | undefined>;
  /** Moves the expiry, which rotation with overlap does; undefined when there is no such key. */
  expire(id: string, at: Instant): Promise<ApiKey | undefined>;
}
