// The queue of indicators that wait for the pipeline.

import type { Instant } from '../domain/instant.ts';

export interface Job {
  readonly indicatorId: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  /** Proves the lease: a completion with an old token changes nothing. */
  readonly token: number;
}

export interface JobCounts {
  /** Waiting or leased. */
  readonly pending: number;
  readonly dead: number;
  /** When the oldest pending job was queued. */
  readonly oldestQueuedAt?: Instant;
}

export interface DeadJob {
  readonly indicatorId: string;
  readonly attempts: number;
  readonly queuedAt: Instant;
  readonly error: string;
}

export interface JobReader {
  counts(): Promise<JobCounts>;
  /** When the next job is due, which may be in the past. Cheap, however many jobs there are. */
  nextDueAt(): Promise<Instant | undefined>;
  /** Whether a job that was queued at or before `queuedBy` is leased or due `now`. A job that waits for a retry is not. */
  areOutstanding(queuedBy: Instant, now: Instant): Promise<boolean>;
  dead(limit: number): Promise<readonly DeadJob[]>;
}
