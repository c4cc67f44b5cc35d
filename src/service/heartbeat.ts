// The heartbeat of a thread: that its event loop turns, that it can write, that its file is sound, and how much is queued. The thread measures
// what is costly to measure, so the thread that answers HTTP only reads numbers.

import type { MessagePort, Worker } from 'node:worker_threads';
import { MINUTE, SECOND } from '../domain/instant.ts';
import type { Damage, Soundness } from '../store/damage.ts';
import type { JobReader } from '../store/jobs.ts';
import type { WriteWatch } from '../store/write-watch.ts';

const BEAT = 2 * SECOND;
/** While writing works: often enough to notice a disk that became read-only in a quiet hour. */
const PROBE = MINUTE;
/** Counting a million jobs takes 90 ms. */
const COUNT = 10 * SECOND;

interface Report {
  readonly storeWritable: boolean;
  readonly jobs?: JobTotals;
  /** What is wrong with the file that the thread writes. */
  readonly damage?: Damage;
}

interface JobTotals {
  /** Waiting or leased. */
  readonly pending: number;
  readonly dead: number;
}

/**
 * The reporting side.
 * @param jobs of a thread that works a queue.
 * @returns a function that stops the heartbeat. It resolves when no report is under way.
 */
export function startHeartbeat(
  port: MessagePort,
  watch: Pick<WriteWatch<Soundness>, 'store' | 'writable' | 'probe'>,
  jobs?: Pick<JobReader, 'counts'>,
): () => Promise<void> {
  let probedAt = performance.now();
  let countedAt = Number.NEGATIVE_INFINITY;
  let totals: JobTotals | undefined;
  let beating: Promise<void> | undefined;

  const beat = async () => {
    const now = performance.now();
    if (!watch.writable || now - probedAt >= PROBE) {
      probedAt = now;
      await watch.probe();
    }
    if (jobs !== undefined && now - countedAt >= COUNT) {
      countedAt = now;
      // If the store cannot be read, no numbers are reported: old ones would be taken for new ones.
      const counts = await jobs.counts().catch(() => undefined);
      totals = counts === undefined ? undefined : { pending: counts.pending, dead: counts.dead };
    }
    const damage = watch.store.findDamage();
    const report: Report = {
      storeWritable: watch.writable,
      ...(totals === undefined ? {} : { jobs: totals }),
      ...(damage === undefined ? {} : { damage }),
    };
    port.postMessage({ heartbeat: report });
  };

  const start = () => {
    beating ??= beat().finally(() => {
      beating = undefined;
    });
  };
  start();
  const timer = setInterval(start, BEAT);
  return async () => {
    clearInterval(timer);
    await beating;
  };
}

/** What the main thread knows of a thread. */
export interface Heartbeat extends Report {
  /** Milliseconds since the last report. */
  readonly silentMs: number;
}

/** The hearing side. The silence counts from this call, so that a thread has time for its first report. */
export function hearHeartbeat(thread: Worker): () => Heartbeat {
  let heardAt = performance.now();
  let last: Report = { storeWritable: true };
  thread.on('message', (message: { readonly heartbeat?: Report }) => {
    if (message?.heartbeat === undefined) return;
    heardAt = performance.now();
    last = message.heartbeat;
  });
  return () => ({ ...last, silentMs: performance.now() - heardAt });
}
