// The queue of what waits for the pipeline. Each view of an indicator has a job of its own: a job that was queued for a
// hidden report must not change the order in which the readers of other views see what happens.

import type { Instant } from '../domain/instant.ts';
import type { ViewKey } from './indicators.ts';

export interface Job extends ViewKey {
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

export interface DeadJob extends ViewKey {
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
