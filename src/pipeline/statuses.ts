// Statuses of submissions: kept for a day for the account that submitted, in the memory of answered requests.

import type { Clock } from '../domain/instant.ts';
import type { Stores } from '../store/stores.ts';

export interface StatusCommands {
  /** Resolves when it is durable. */
  keepStatus(id: string, account: string, status: string): Promise<void>;
}

/** What was kept, at least for 24 hours; undefined for the statuses of other accounts. */
export type RecallStatus = (id: string, account: string) => Promise<string | undefined>;

export function createStatuses(stores: Pick<Stores, 'write'>, clock: Clock): StatusCommands {
  return {
    keepStatus: (id, account, status) =>
      stores.write((tx) =>
        tx.rememberRequest(keyOf(id, account), { fingerprint: '', answer: status }, clock()),
      ),
  };
}

export function createRecallStatus(stores: Pick<Stores, 'recallRequest'>): RecallStatus {
  return async (id, account) => (await stores.recallRequest(keyOf(id, account)))?.answer;
}

function keyOf(id: string, account: string): string {
  return JSON.stringify(['status', account, id]);
}
