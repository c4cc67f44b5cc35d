// The statuses of TAXII submissions: kept for the account that submitted, as long as the store remembers answered
// requests.

import type { Clock } from '../domain/instant.ts';
import { keepAnswer, keptAnswer } from '../store/rules/idempotency.ts';
import type { Stores } from '../store/stores.ts';

export interface StatusCommands {
  /** Resolves when the status is durable. */
  keepStatus(id: string, account: string, status: string): Promise<void>;
}

/** Resolves to a kept status; undefined when it is forgotten or belongs to another account. */
export type RecallStatus = (id: string, account: string) => Promise<string | undefined>;

export function createStatuses(stores: Pick<Stores, 'write'>, clock: Clock): StatusCommands {
  return {
    keepStatus: (id, account, status) =>
      stores.write((tx) => keepAnswer(tx, scopeOf(account), id, status, clock())),
  };
}

export function createRecallStatus(stores: Pick<Stores, 'recallRequest'>): RecallStatus {
  return (id, account) => keptAnswer(stores, scopeOf(account), id);
}

function scopeOf(account: string): readonly string[] {
  return ['status', account];
}
