// Slow searches run in a thread of their own, one at a time. It starts with the first of them and ends when none has come
// for a minute: most services never need it, and it takes 25 MB.

import { FairQueue } from '../api/http/fair-queue.ts';
import { ServiceError } from '../domain/errors.ts';
import type { SlowReads } from '../search/bounded-reads.ts';
import type { Damage } from '../store/damage.ts';
import { outOfTime } from '../store/patience.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Heartbeat } from './heartbeat.ts';
import { type ReadingCalls, RUN_MS } from './reading.ts';
import type { ServiceThread } from './service-thread.ts';

/** A statement that examines no rows for long ends late. Its client is answered after this time. */
const ANSWER_MS = 4_000;
/** How long a read waits for its turn. */
const WAIT_MS = 5_000;
/** Reads that wait. One caller leaves at least as many places free as it takes. */
const PLACES = 32;
const IDLE_MS = 60_000;

export interface SlowReadThread extends SlowReads {
  /** Of the thread, if it runs. */
  readonly heartbeat: () => Heartbeat;
  readonly condemn: (damage: Damage) => void;
  /** @returns whether the thread ended by itself. */
  readonly stop: (withinMs: number) => Promise<boolean>;
}

type Thread = ServiceThread<ReadingCalls>;

interface Waiting {
  readonly begin: () => void;
}

const NO_THREAD: Heartbeat = { storeWritable: true, silentMs: 0 };

/** @param start starts the thread. */
export function createSlowReads(
  start: () => Promise<Thread>,
  metrics: Metrics,
  log: Pick<Log, 'error'>,
): SlowReadThread {
  const results = metrics.counter(
    'slow_searches_total',
    'Reads of searches that were too slow for the thread that answers, by result.',
    ['result'],
  );
  const queue = new FairQueue<Waiting>();
  /** Reads by caller, waiting or running. */
  const taken = new Map<string, number>();
  let all = 0;
  let busy = false;
  let starting: Promise<Thread> | undefined;
  let running: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;

  const thread = (): Promise<Thread> => {
    clearTimeout(idle);
    starting ??= start().then(
      (started) => {
        running = started;
        // The next slow search starts another one.
        void started.failed.then((error) => {
          log.error(error);
          forget();
        });
        return started;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return starting;
  };
  const forget = () => {
    running = undefined;
    starting = undefined;
  };
  const end = async (withinMs?: number): Promise<boolean> => {
    const ending = starting;
    forget();
    clearTimeout(idle);
    return (await ending?.catch(() => undefined))?.stop(withinMs) ?? true;
  };

  const reserve = (caller: string): void => {
    const own = (taken.get(caller) ?? 0) + 1;
    if (own > PLACES - all) {
      results.with('refused').add();
      throw overloaded();
    }
    taken.set(caller, own);
    all += 1;
  };
  const release = (caller: string): void => {
    const own = (taken.get(caller) ?? 1) - 1;
    if (own === 0) taken.delete(caller);
    else taken.set(caller, own);
    all -= 1;
  };
  const turn = (caller: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!busy) {
        busy = true;
        return resolve();
      }
      const waiting: Waiting = {
        begin: () => {
          clearTimeout(limit);
          resolve();
        },
      };
      const limit = setTimeout(() => {
        queue.remove(caller, waiting);
        results.with('refused').add();
        reject(overloaded());
      }, WAIT_MS);
      queue.add(caller, waiting);
    });
  const pass = (): void => {
    const next = queue.take(() => true);
    if (next !== undefined) next.begin();
    else {
      busy = false;
      idle = setTimeout(() => void end(), IDLE_MS).unref();
    }
  };

  const run = async <Result>(
    caller: string,
    read: (calls: ReadingCalls) => Promise<Result>,
  ): Promise<Result> => {
    reserve(caller);
    try {
      await turn(caller);
      // Passed on when the thread is free, which can be after the answer.
      const reading = thread()
        .then(({ calls }) => read(calls))
        .finally(pass);
      const result = await withinMs(reading, ANSWER_MS).catch((error: unknown) => {
        results.with('failed').add();
        throw error;
      });
      results.with('answered').add();
      return result;
    } finally {
      release(caller);
    }
  };

  return {
    blocks: (caller, ...given) => run(caller, (calls) => calls.blocks(...given)),
    count: (caller, ...given) => run(caller, (calls) => calls.count(...given)),
    heartbeat: () => running?.heartbeat() ?? NO_THREAD,
    condemn: (damage) => running?.condemn(damage),
    stop: end,
  };
}

async function withinMs<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(outOfTime()), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function overloaded(): ServiceError {
  return new ServiceError(
    'unavailable',
    'too many slow searches at the moment; try again later, or narrow the search',
    { reason: 'OVERLOADED', retryAfterMs: RUN_MS },
  );
}
