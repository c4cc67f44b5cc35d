// The signs of life of a thread, reported over its port: that its event loop turns, that it can write, and how much is
// queued. What is costly to find out is found out here, so that the thread that answers HTTP only reads numbers.

import type { MessagePort, Worker } from 'node:worker_threads';
import { MINUTE, SECOND } from '../domain/instant.ts';
import type { JobReader } from '../store/stores.ts';
import type { WriteWatch } from '../store/write-watch.ts';

const BEAT = 2 * SECOND;
/** While writing works: often enough to notice a disk that went read-only in a quiet hour. */
const PROBE = MINUTE;
/** Counting a million jobs takes 90 ms. */
const COUNT = 10 * SECOND;

interface Report {
  readonly storeWritable: boolean;
  readonly jobs?: JobTotals;
}

export interface JobTotals {
  /** Waiting or leased. */
  readonly pending: number;
  readonly dead: number;
}

/**
 * The reporting side.
 * @param jobs of a thread that works a queue.
 * @returns what stops it; it resolves when no report is under way.
 */
export function reportVitals(
  port: MessagePort,
  watch: Pick<WriteWatch<unknown>, 'writable' | 'probe'>,
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
      // A store that can not be read is noticed by who reads it; old numbers would be taken for new ones.
      const counts = await jobs.counts().catch(() => undefined);
      totals = counts === undefined ? undefined : { pending: counts.pending, dead: counts.dead };
    }
    const report: Report = {
      storeWritable: watch.writable,
      ...(totals === undefined ? {} : { jobs: totals }),
    };
    port.postMessage({ vitals: report });
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

/** What the other side knows of a thread. */
export interface HeardVitals extends Report {
  /** Since it was last heard, in milliseconds. */
  readonly silentMs: number;
}

/** The hearing side. Hearing begins with the call: a thread is given its time to say the first word. */
export function hearVitals(thread: Worker): () => HeardVitals {
  let heardAt = performance.now();
  let last: Report = { storeWritable: true };
  thread.on('message', (message: { readonly vitals?: Report }) => {
    if (message?.vitals === undefined) return;
    heardAt = performance.now();
    last = message.vitals;
  });
  return () => ({ ...last, silentMs: performance.now() - heardAt });
}
