// The acts on keys that a running service can be asked for. Arguments and answers are plain values, so that they can be
// carried out in the thread that owns the writing connection.

import type { Clock } from '../domain/instant.ts';
import type { ApiKey } from '../store/api-key.ts';
import type { Stores } from '../store/stores.ts';
import type { Caller } from './caller.ts';
import { type IssuedKey, issueKey, revokeKey, rotateKey } from './issue-key.ts';
import type { KeySpec } from './key-spec.ts';
import { type LeakReport, revokeLeaked } from './leaked-keys.ts';

export interface KeyCommands {
  /** @see issueKey */
  issueKey(spec: KeySpec, issuer: Caller, requestId: string): Promise<IssuedKey>;
  /** @see rotateKey */
  rotateKey(id: string, overlap: number, issuer: Caller, requestId: string): Promise<IssuedKey>;
  /** @see revokeKey */
  revokeKey(id: string, issuer: Caller): Promise<ApiKey>;
  /** @see revokeLeaked */
  revokeLeaked(reports: readonly LeakReport[]): Promise<boolean[]>;
}

export function createKeyCommands(stores: Stores, clock: Clock): KeyCommands {
  return {
    issueKey: (spec, issuer, requestId) => issueKey(stores, spec, issuer, clock(), requestId),
    rotateKey: (id, overlap, issuer, requestId) => rotateKey(stores, id, overlap, issuer, clock(), requestId),
    revokeKey: (id, issuer) => revokeKey(stores, id, issuer, clock()),
    revokeLeaked: (reports) => revokeLeaked(stores, reports, clock()),
  };
}
