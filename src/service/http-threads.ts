// The further threads that answer HTTP, as the main thread sees them.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Config } from '../config.ts';
import type { SlowReads } from '../search/bounded-reads.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics, MetricsSnapshot } from '../telemetry/metrics.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { heapLimits } from './heaps.ts';
import { type HttpLimits, ownLimits, type SharedMemory, sharedLimits, shareMemory } from './http-limits.ts';
import type { MemoryShares } from './memory-budget.ts';
import { allStarted, type ServiceThread, startThread } from './service-thread.ts';
import { createTurnCalls, type TurnCalls } from './shared-turns.ts';
import { answerCalls } from './thread-calls.ts';
import type { ServiceThreads } from './threads.ts';

/** Handed to a further thread. */
export interface HttpThreadData {
  readonly config: Config;
  readonly ports: {
    readonly main: MessagePort;
    readonly pipeline: MessagePort;
    readonly metering: MessagePort;
  };
}

/** What a further thread asks the main thread for. */
export interface MainCalls extends SlowReads, TurnCalls {
  readonly readiness: () => Promise<Readiness>;
}

/** What the main thread asks a further thread for. */
export interface HttpThreadCalls {
  /** Answers on a port that the main thread listens on. */
  readonly listen: (port: number, memory: SharedMemory) => Promise<void>;
  /** Refuses new requests and answers those that it has. Resolves to whether all were answered. */
  readonly drain: (withinMs: number) => Promise<boolean>;
  readonly metrics: () => Promise<MetricsSnapshot>;
}

export interface HttpThreads {
  readonly threads: readonly ServiceThread<HttpThreadCalls>[];
  /** The limits of the main thread, which the further ones share. */
  readonly limits: (shares: MemoryShares) => HttpLimits;
  /** Lets all of them answer on the port of the main thread. */
  readonly listen: (port: number, parts: MainParts) => Promise<void>;
  readonly drain: (withinMs: number) => Promise<boolean>;
}

/** What the main thread does for them. */
export interface MainParts {
  readonly limits: HttpLimits;
  readonly slowReads: SlowReads;
  readonly readiness: () => Promise<Readiness>;
  /** Shows what they have counted. */
  readonly metrics: Metrics;
  readonly log: Pick<Log, 'error'>;
}

/** A thread that is busy for longer shows what it had counted before. */
const SCRAPE_MS = 1_000;

/** Whether the system spreads the connections of one port over several listeners. */
const SPREADS = process.platform === 'linux';

/** Starts the further threads. They do not listen yet. */
export async function startHttpThreads(
  config: Config,
  { metering, pipeline: [pipeline] }: ServiceThreads,
  log: Pick<Log, 'warn'>,
): Promise<HttpThreads> {
  const further = SPREADS ? config.httpThreads - 1 : 0;
  if (further < config.httpThreads - 1) log.warn('one thread answers HTTP: this system gives a port to one');
  const ends: MessagePort[] = [];
  const threads = await allStarted(
    Array.from({ length: further }, () => {
      const { port1, port2 } = new MessageChannel();
      ends.push(port1);
      const ports = { main: port2, pipeline: pipeline.connect(), metering: metering.connect() };
      const data: HttpThreadData = { config, ports };
      const heap = heapLimits('http', config.memoryBudget);
      return startThread<HttpThreadCalls>('http', data, heap, Object.values(ports));
    }),
  );
  let memory: SharedMemory | undefined;
  return {
    threads,
    limits: (shares) => {
      const own = ownLimits(shares);
      if (further === 0) return own;
      memory = shareMemory(shares, config);
      return sharedLimits(memory, own.workTurns, 'first');
    },
    // The main thread listens already, so that its memory has the buckets of every policy.
    listen: async (port, { limits, slowReads, readiness, metrics, log }) => {
      if (memory === undefined) return;
      const shared = memory;
      for (const end of ends) {
        const { blocks, count } = slowReads;
        const calls: MainCalls = { blocks, count, readiness, ...createTurnCalls(limits.workTurns) };
        answerCalls<MainCalls>(end, calls, (error) => log.error(error));
      }
      for (const { calls } of threads) metrics.include(lastSnapshot(calls.metrics));
      await Promise.all(threads.map(({ calls }) => calls.listen(port, shared)));
    },
    drain: async (withinMs) => {
      const drained = await Promise.all(threads.map(({ calls }) => calls.drain(withinMs).catch(() => false)));
      for (const end of ends) end.close();
      return drained.every((complete) => complete);
    },
  };
}

/** A count that is missing at one scrape would look like a restart. */
function lastSnapshot(read: () => Promise<MetricsSnapshot>): () => Promise<MetricsSnapshot> {
  let last: MetricsSnapshot = [];
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<MetricsSnapshot>((resolve) => {
      timer = setTimeout(() => resolve(last), SCRAPE_MS);
    });
    last = await Promise.race([read().catch(() => last), late]);
    clearTimeout(timer);
    return last;
  };
}
