// Stored API keys. The store never holds the key itself, only its SHA-256.

import type { Instant } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

export interface ApiKey {
  /** UUID. */
  readonly id: string;
  /** Set after a rotation: the id of the first key of the line. All keys of a line report as one source. */
  readonly firstKeyId?: string;
  /** Set after a rotation: the id of the key that took its place. A key without one is the newest of its line. */
  readonly successorId?: string;
  /** Who made the key: the id of a key, issuer and subject of a person (`issuer|subject`), or `cli`. */
  readonly createdBy: string;
  /** For a key that was made with a key: the first key of that line. The key ends with the line. */
  readonly parentId?: string;
  /** Independence group of its reports, if it is not the own line: the credential at the root of all that made it. */
  readonly group?: string;
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
  /** Revoked and expired keys are found too. */
  byId(id: string): Promise<ApiKey | undefined>;
  /** Newest first. */
  list(account?: string): Promise<readonly ApiKey[]>;
  /** A page of the keys of an account, newest first. @param after the last key of the page before. */
  page(account: string, after: ApiKey | undefined, limit: number): Promise<readonly ApiKey[]>;
  /** The keys of an account that are neither revoked nor expired, in no particular order. */
  live(account: string, now: Instant): Promise<readonly ApiKey[]>;
}

export interface ApiKeyWriter extends Pick<ApiKeyReader, 'byId' | 'live'> {
  /** The number of keys that `live` would return. */
  countLive(account: string, now: Instant): Promise<number>;
  /** When the key was created after which the account got `count - 1` more. Undefined if it has fewer keys. */
  createdAtOfNewest(account: string, count: number): Promise<Instant | undefined>;
  add(key: ApiKey, hash: string): Promise<void>;
  /** Sets revokedAt, unless it is set. Resolves to undefined if the key does not exist. */
  revoke(id: string, at: Instant): Promise<ApiKey | undefined>;
  /** Sets successor and expiry, for a rotation with overlap. Resolves to undefined if the key does not exist. */
  supersede(id: string, successorId: string, at: Instant): Promise<ApiKey | undefined>;
}
