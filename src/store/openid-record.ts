// Short-lived records of the embedded OpenID provider: sign-ins under way, grants, codes, and sessions of clients. What a
// record is about is JSON of the library. It is found by a hash, so that the store holds no code that could still be used.

import type { Instant } from '../domain/instant.ts';

export interface OpenidRecord {
  readonly payload: string;
  readonly expiresAt: Instant;
  /** When a code was redeemed. */
  readonly consumedAt?: Instant;
}

export interface OpenidRecordReader {
  /** @param key SHA-256, hex. Records that have expired are found too. */
  byKey(key: string): Promise<OpenidRecord | undefined>;
}

export interface OpenidRecordWriter extends OpenidRecordReader {
  /** Replaces the record with this key. @param kind bounds go by it. */
  put(kind: string, key: string, record: OpenidRecord): Promise<void>;
  /** @returns false for a record that was consumed before, and for an unknown one. */
  consume(key: string, at: Instant): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Removes what has expired, oldest first. */
  forgetExpired(now: Instant, limit: number): Promise<number>;
  /** Removes the oldest records of a kind beyond the newest `kept`. */
  keepNewest(kind: string, kept: number): Promise<number>;
}
