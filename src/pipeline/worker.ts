// The worker takes queued views of indicators through scoring, enrichment and publication, in batches.
//
// The results of a job and its completion are one transaction, which stores nothing for a view whose revision has
// changed. If a worker dies, or another change comes first, the job runs again and nothing is published twice.

import { setTimeout as delay } from 'node:timers/promises';
import { NOBODY } from '../domain/audience.ts';
import { SESSION_MEMORY } from '../domain/evidence/session-members.ts';
import type { FeedState } from '../domain/indicator/indicator.ts';
import { type Clock, DAY, dayOf, HOUR, MINUTE, SECOND } from '../domain/instant.ts';
import { isStoreDamaged } from '../store/damage.ts';
import type { FeedChange } from '../store/feed.ts';
import type { StoredView } from '../store/indicators.ts';
import type { Job } from '../store/jobs.ts';
import type { Stores, WriteTransaction } from '../store/stores.ts';
import { type ProcessParts, processView } from './process.ts';
import type { EncodeIndicator, SyncCollections } from './publish.ts';
import { LinkNews, type RenderLink } from './publish-links.ts';

const BATCH = 500;
const LEASE = 60 * SECOND;
/** After this many failed attempts a job is a dead letter. */
const ATTEMPT_LIMIT = 8;
const FIRST_RETRY = SECOND;
const LONGEST_RETRY = 10 * MINUTE;
/** How often the queue is checked for jobs of other processes. */
const POLL = 200;
/** The wait after a failure of the store. Retrying at once would fill the log, and perhaps a full disk. */
const AFTER_FAILURE = 2 * SECOND;
/** How long duplicates of an event are recognised. */
const EVENT_MEMORY = 90 * DAY;
const REQUEST_MEMORY = DAY;
/** Only the counts of today are used. Older ones are kept for a clock that steps back. */
const GROWTH_MEMORY = 7 * DAY;
/** The live page shows an hour, and the clock may step. */
const MINUTES_MEMORY = 3 * HOUR;
/** How long a silent sensor is listed. */
const SENSOR_MEMORY = 30 * DAY;
const FORGET_BATCH = 10_000;
/** Views that are queued again for new data, and how often: at most 500 in a second, and only while nothing else is queued. */
const REDO_BATCH = 100;
const REDO_EVERY = 200;

export interface WorkerParts extends ProcessParts {
  readonly stores: Stores;
  readonly encodeIndicator: EncodeIndicator;
  readonly syncCollections: SyncCollections;
  /** As for ingest. */
  readonly renderLink?: RenderLink;
  readonly clock: Clock;
  /** Decides what is forgotten. It may be behind `clock`. */
  readonly memoryClock: Clock;
  /** The installed data with which the enrichers work. When it grows, all views are enriched again. 0 for none. */
  readonly dataGeneration?: () => number;
  readonly onError: (error: unknown) => void;
}

export interface Worker {
  /** Works until the signal aborts, and finishes the current batch. Rejects with STORE_DAMAGED if the store is damaged. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Works until no job is ready and no other worker holds a job that was queued before this call. Waits for the leases
   * of a worker that died. Resolves to the number of jobs that this worker did.
   */
  drain(): Promise<number>;
  /** Wakes a waiting worker. */
  wake(): void;
}

interface Claimed {
  readonly jobs: readonly Job[];
  /** In the order of the jobs. */
  readonly views: readonly (StoredView | undefined)[];
  /** The result of syncCollections at the time of the claim. */
  readonly collections: number;
}

const NOTHING: Claimed = { jobs: [], views: [], collections: 0 };

/** The result of one job. */
interface Outcome {
  readonly job: Job;
  /** Absent if there is nothing to store. */
  readonly view?: StoredView & { readonly document: string };
  /** The state of its publication before the job. */
  readonly before?: FeedState;
  readonly changes: readonly FeedChange[];
  /** Set if the job failed: it runs again or becomes a dead letter. */
  readonly failure?: string;
}

export function createWorker(parts: WorkerParts): Worker {
  const { stores, clock } = parts;
  let wakeUp: () => void = () => undefined;
  let woken = false;
  let forgetAt = 0;
  let tidyAt = 0;
  let isTidying = false;
  let redoAt = 0;
  let redone = 0;

  async function claim(tx: WriteTransaction): Promise<Claimed> {
    const collections = await parts.syncCollections(tx);
    const jobs = await tx.claim(BATCH, LEASE, clock());
    return { jobs, views: await tx.loadViews(jobs), collections };
  }

  /**
   * Works until no job is ready or `stopping`. The results of a batch are one transaction and the next claim is
   * another. Both are requested at the same time, so that a store with one writer commits them with one fsync. If the
   * results cannot be stored, their jobs run again when their leases end, and the work goes on with the next batch.
   */
  async function work(stopping: () => boolean): Promise<number> {
    let done = 0;
    let claimed = await stores.write(claim);
    while (claimed.jobs.length > 0) {
      const { jobs, views, collections } = claimed;
      const outcomes = await Promise.all(jobs.map((job, index) => processJob(job, views[index], parts)));
      const storing = stores.write(async (tx) => {
        const isOutOfDate = (await parts.syncCollections(tx)) !== collections;
        await store(tx, outcomes, isOutOfDate, parts);
      });
      const [stored, next] = await Promise.allSettled([storing, stopping() ? NOTHING : stores.write(claim)]);
      if (next.status === 'rejected') throw next.reason;
      if (stored.status === 'rejected') parts.onError(stored.reason);
      else done += jobs.length;
      claimed = next.value;
    }
    return done;
  }

  async function forget(): Promise<void> {
    const now = clock();
    if (now < forgetAt) return;
    const remembered = parts.memoryClock();
    const forgotten = await stores.write(async (tx) => {
      await tx.forgetGrowthBefore(dayOf(remembered - GROWTH_MEMORY));
      await tx.forgetActivity(now - MINUTES_MEMORY, now - SENSOR_MEMORY);
      return (
        (await tx.forgetEventsBefore(remembered - EVENT_MEMORY, FORGET_BATCH)) +
        (await tx.forgetRequestsBefore(remembered - REQUEST_MEMORY, FORGET_BATCH)) +
        (await tx.forgetSessionsBefore(remembered - SESSION_MEMORY, FORGET_BATCH))
      );
    });
    if (forgotten < FORGET_BATCH) forgetAt = now + HOUR;
  }

  /** A step between two looks at the queue, so that the work goes on meanwhile. */
  async function tidy(): Promise<void> {
    const now = clock();
    if (now < tidyAt) return;
    isTidying = await stores.write((tx) => tx.tidySearch(isTidying));
    if (!isTidying) tidyAt = now + HOUR;
  }

  /** A step of enriching again. The store keeps how far it is, so it goes on after a restart. */
  async function redo(): Promise<void> {
    const generation = parts.dataGeneration?.() ?? 0;
    const now = clock();
    if (generation <= redone || now < redoAt) return;
    redoAt = now + REDO_EVERY;
    const more = await stores.write((tx) => tx.requeue(generation, REDO_BATCH, now));
    if (!more) redone = generation;
  }

  function sleep(signal: AbortSignal, atMost = POLL): Promise<void> {
    if (woken || signal.aborted) {
      woken = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        wakeUp = () => undefined;
        woken = false;
        resolve();
      };
      const timer = setTimeout(end, atMost);
      signal.addEventListener('abort', end);
      wakeUp = end;
    });
  }

  return {
    run: async (signal) => {
      while (!signal.aborted) {
        try {
          await work(() => signal.aborted);
          await forget();
          await tidy();
          await redo();
          await sleep(signal);
        } catch (error) {
          // A damaged store does not heal: working on would repeat the error for ever.
          if (isStoreDamaged(error)) throw error;
          // The leases expire by themselves, so no job is lost.
          parts.onError(error);
          await sleep(signal, AFTER_FAILURE);
        }
      }
    },
    drain: async () => {
      const begun = clock();
      let done = await work(() => false);
      while (await stores.jobs.areOutstanding(begun, clock())) {
        await delay(POLL);
        done += await work(() => false);
      }
      return done;
    },
    wake: () => {
      woken = true;
      wakeUp();
    },
  };
}

async function processJob(job: Job, stored: StoredView | undefined, parts: WorkerParts): Promise<Outcome> {
  // A job without a view is complete.
  if (stored === undefined) return { job, changes: [] };
  const { audience } = stored;
  try {
    const { record, changes, outcome } = await processView(stored.record, audience, parts.clock(), parts);
    const { feed } = stored.record;
    const view = { ...stored, record, document: parts.encodeIndicator(record.indicator) };
    const done = { job, view, changes, ...(feed && { before: feed }) };
    return outcome === 'retry' ? { ...done, failure: 'every enricher failed' } : done;
  } catch (error) {
    parts.onError(error);
    const failure = error instanceof Error ? error.message : String(error);
    return { job, changes: [], failure, ...asMerged(stored, parts) };
  }
}

/** The view with the reports that were merged into it, for readers to find although its processing failed. */
function asMerged(
  stored: StoredView,
  { encodeIndicator, onError }: WorkerParts,
): Pick<Outcome, 'view' | 'before'> {
  const { indicator, feed } = stored.record;
  try {
    return { view: { ...stored, document: encodeIndicator(indicator) }, ...(feed && { before: feed }) };
  } catch (error) {
    onError(error);
    return {};
  }
}

/** @param isOutOfDate whether the collections have changed since the batch was claimed. */
async function store(
  tx: WriteTransaction,
  outcomes: readonly Outcome[],
  isOutOfDate: boolean,
  parts: WorkerParts,
): Promise<void> {
  const now = parts.clock();
  const revisions = await tx.revisions(outcomes.map(({ job }) => job));
  const current = outcomes.filter(
    ({ view }, index) => view !== undefined && revisions[index] === view.revision && !isOutOfDate,
  );
  await tx.save(current.flatMap(({ view }) => view ?? []));
  await tx.append(
    current.flatMap(({ changes }) => changes),
    now,
  );
  if (parts.renderLink !== undefined) {
    const news = new LinkNews();
    for (const { job, view, before } of current)
      news.noteView(job.indicatorId, view?.audience ?? NOBODY, before, view?.record.feed);
    await news.publish(tx, parts.renderLink, now);
  }
  // Another change of the view or of the collections came first. The result is dropped and the job runs again.
  const overtaken = outcomes.filter((outcome) => outcome.view !== undefined && !current.includes(outcome));
  await tx.enqueue(
    overtaken.map(({ job }) => job),
    now,
  );
  await tx.complete(outcomes.filter(({ failure }) => failure === undefined).map(({ job }) => job));
  for (const { job, failure } of outcomes) {
    if (failure !== undefined) await tx.fail(job, failure, retryAt(job, now));
  }
}

/** The wait doubles with every attempt. Undefined after the last attempt. */
function retryAt(job: Job, now: number): number | undefined {
  const attempt = job.attempts + 1;
  if (attempt >= ATTEMPT_LIMIT) return undefined;
  return now + Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** (attempt - 1));
}
