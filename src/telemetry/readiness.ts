// Whether the service can do its work: what /readyz says.

import type { Clock } from '../domain/instant.ts';
import type { JobReader } from '../store/stores.ts';

/** A thread that said nothing for longer than this hangs: its longest batch takes a tenth of it. */
const SILENCE_LIMIT_MS = 15_000;

/** What is known of a pipeline thread. */
export interface ThreadVitals {
  /** Since it was last heard. */
  readonly silentMs: number;
  readonly storeWritable: boolean;
}

export interface Readiness {
  readonly status: 'ready' | 'unready' | 'stopping';
  /** How long the job that waits longest has been due; left out when the store can not be read. */
  readonly backlogAgeSeconds?: number;
  readonly backlogWithinLimit: boolean;
  readonly storeReadable: boolean;
  readonly storeWritable: boolean;
  readonly pipelineAlive: boolean;
}

export interface ReadinessParts {
  readonly jobs: Pick<JobReader, 'nextDueAt'>;
  readonly threads: () => readonly ThreadVitals[];
  readonly stopping: AbortSignal;
  readonly backlogLimitSeconds: number;
  readonly clock: Clock;
}

/** Never rejects; cheap enough to be asked by anybody at any time. */
export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  return async () => {
    const backlogAgeSeconds = await backlogAge(parts.jobs, parts.clock).catch(() => undefined);
    const threads = parts.threads();
    const checks = {
      backlogWithinLimit: backlogAgeSeconds !== undefined && backlogAgeSeconds <= parts.backlogLimitSeconds,
      storeReadable: backlogAgeSeconds !== undefined,
      storeWritable: threads.every(({ storeWritable }) => storeWritable),
      pipelineAlive: threads.every(({ silentMs }) => silentMs <= SILENCE_LIMIT_MS),
    };
    const ready = Object.values(checks).every((passed) => passed);
    return {
      status: parts.stopping.aborted ? 'stopping' : ready ? 'ready' : 'unready',
      ...(backlogAgeSeconds === undefined ? {} : { backlogAgeSeconds }),
      ...checks,
    };
  };
}

/**
 * Seconds since the oldest due job could have been taken up. What is being worked on and what waits for a retry is not
 * due: one indicator that keeps failing must not make the service unready.
 */
export async function backlogAge(jobs: Pick<JobReader, 'nextDueAt'>, clock: Clock): Promise<number> {
  const dueAt = await jobs.nextDueAt();
  return dueAt === undefined ? 0 : Math.max(0, (clock() - dueAt) / 1_000);
}
