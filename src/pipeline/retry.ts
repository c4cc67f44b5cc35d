// Retry of dead letters: jobs that failed too often go back into the queue, as if they had never failed.

import type { Clock } from '../domain/instant.ts';
import type { Stores } from '../store/stores.ts';

export interface RetryParts {
  readonly stores: Pick<Stores, 'write'>;
  readonly clock: Clock;
  /** As for ingest. */
  readonly onQueued?: () => void;
}

export interface Retry {
  /** Without it, the dead letters of all indicators. */
  readonly indicatorId?: string;
  readonly actor: string;
}

/** Resolves to the number of jobs that were queued again. An act that revives nothing is not in the audit log. */
export type RetryDeadLetters = (retry: Retry) => Promise<number>;

export function createRetry({ stores, clock, onQueued }: RetryParts): RetryDeadLetters {
  return async ({ indicatorId, actor }) => {
    const revived = await stores.write(async (tx) => {
      const now = clock();
      const count = await tx.revive(indicatorId, now);
      const target = indicatorId ?? 'all';
      if (count > 0)
        await tx.audit({ at: now, actor, action: 'job.retry', target, detail: { jobs: String(count) } });
      return count;
    });
    if (revived > 0) onQueued?.();
    return revived;
  };
}
