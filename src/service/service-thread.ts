// A thread of the service, seen from both sides: how the main thread starts and stops it, and how its entry file runs.

import { getCompileCacheDir } from 'node:module';
import {
  MessageChannel,
  type MessagePort,
  parentPort,
  type ResourceLimits,
  Worker,
  workerData,
} from 'node:worker_threads';
import { ServiceError } from '../domain/errors.ts';
import type { Damage, Soundness } from '../store/damage.ts';
import type { JobReader } from '../store/jobs.ts';
import type { WriteWatch } from '../store/write-watch.ts';
import { ConfigError } from '../variables.ts';
import type { ThreadName } from './heaps.ts';
import { type Heartbeat, hearHeartbeat, startHeartbeat } from './heartbeat.ts';
import { answerCalls, callThread, type Ready } from './thread-calls.ts';

/** Tells a thread to finish the work in hand and to end. */
const STOP = 'stop';

/** Tells a thread that a file is damaged. */
interface Condemnation {
  readonly condemned: Damage;
}

/** Gives a thread a port over which another one will call it. */
interface Connection {
  readonly connect: MessagePort;
}

/** Longer than any batch, unless an enricher hangs. */
const STOP_WITHIN_MS = 10_000;

export interface ServiceThread<Api> {
  /** The calls that the thread carries out. */
  readonly calls: Api;
  /** Resolves when the thread died; never when it was stopped. */
  readonly failed: Promise<Error>;
  readonly heartbeat: () => Heartbeat;
  /** Tells the thread of damage that another one has found. */
  readonly condemn: (damage: Damage) => void;
  /** Makes a port over which another thread can call this one. */
  readonly connect: () => MessagePort;
  /**
   * Resolves once the thread has finished the work in hand and ended. After `withinMs` it is ended by force.
   * @returns whether it ended by itself.
   */
  stop(withinMs?: number): Promise<boolean>;
}

/** What bin/thread.js is given. */
export interface EntryData {
  readonly thread: ThreadName;
  /** Folder of the compile cache of this process; absent when it has none. */
  readonly compileCache: string | undefined;
  /** For the entry file of the thread. */
  readonly data: unknown;
}

/**
 * Resolves when the thread takes calls; rejects when it could not start.
 * @param ports that are in the data: the thread takes them over.
 */
export async function startThread<
  Api extends { [Name in keyof Api]: (...given: never[]) => Promise<unknown> },
>(
  thread: ThreadName,
  data: unknown,
  resourceLimits: ResourceLimits,
  ports: readonly MessagePort[] = [],
): Promise<ServiceThread<Api>> {
  const name = `a ${thread} thread`;
  const entryData: EntryData = { thread, compileCache: getCompileCacheDir(), data };
  // The system shows the name of a thread, as in `top -H`.
  const worker = new Worker(new URL('../../bin/thread.js', import.meta.url), {
    name: thread,
    workerData: entryData,
    transferList: [...ports],
    resourceLimits,
  });
  const { ready } = await firstMessage(worker, name);
  const ended = new Promise<number>((resolve) => worker.once('exit', resolve));
  const failed = new Promise<Error>((resolve) => {
    worker.on('error', resolve);
    void ended.then((code) => code !== 0 && resolve(new Error(`${name} ended with code ${code}`)));
  });
  const stop = async (withinMs = STOP_WITHIN_MS) => {
    worker.postMessage(STOP);
    let byItself = true;
    const limit = setTimeout(() => {
      byItself = false;
      void worker.terminate();
    }, withinMs);
    await ended;
    clearTimeout(limit);
    return byItself;
  };
  return {
    calls: callThread<Api>(worker, ready),
    failed,
    heartbeat: hearHeartbeat(worker),
    connect: () => {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ connect: port1 } satisfies Connection, [port1]);
      return port2;
    },
    condemn: (condemned) => worker.postMessage({ condemned } satisfies Condemnation),
    stop,
  };
}

function firstMessage(worker: Worker, name: string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(asThrown(error));
    const end = () => reject(new Error(`${name} did not start`));
    worker.once('error', fail);
    worker.once('exit', end);
    worker.once('message', (message: Partial<Ready>) => {
      worker.off('error', fail);
      worker.off('exit', end);
      if (message.ready === undefined) end();
      else resolve({ ready: message.ready });
    });
  });
}

/**
 * Waits for all threads. If one cannot start, the others are stopped: a thread left behind would keep the process alive.
 */
export async function allStarted<Starting extends readonly Promise<ServiceThread<unknown>>[] | []>(
  starting: Starting,
): Promise<{ -readonly [Place in keyof Starting]: Awaited<Starting[Place]> }> {
  const settled = await Promise.allSettled<Promise<ServiceThread<unknown>>[]>([...starting]);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed === undefined) return Promise.all(starting);
  await Promise.all(settled.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)));
  throw failed.reason;
}

/** An error loses its class on the way out of a thread. The class decides how the error is printed. */
function asThrown(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === ConfigError.name) return new ConfigError(error.message.split('\n'));
  if (error.name !== ServiceError.name) return error;
  const { code, details } = error as ServiceError;
  return new ServiceError(code, error.message, details);
}

/** What an entry file makes of its data. */
export interface ThreadWork<Api> {
  readonly calls: Api;
  /** Hears of the failures of calls. */
  readonly onError: (error: unknown) => void;
  readonly watch: Pick<WriteWatch<Soundness>, 'store' | 'writable' | 'probe'>;
  /** Of a thread that works the queue: its counts go into the heartbeat. */
  readonly jobs?: Pick<JobReader, 'counts'>;
  /** Resolves when the signal aborts and the work in hand is done. */
  run(stopping: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Runs the entry file of a thread: prepares, answers calls, works until told to stop, and closes. */
export async function runThread<
  Data,
  Api extends { [Name in keyof Api]: (...given: never[]) => Promise<unknown> },
>(prepare: (data: Data) => Promise<ThreadWork<Api>>): Promise<void> {
  if (parentPort === null) throw new Error('this file is the entry of a worker thread');
  const port = parentPort;
  const stopping = new AbortController();
  port.on('message', (message: unknown) => {
    if (message === STOP) stopping.abort();
  });
  const { calls, onError, watch, jobs, run, close } = await prepare((workerData as EntryData).data as Data);
  const connections: MessagePort[] = [];
  port.on('message', ({ condemned, connect }: Partial<Condemnation & Connection>) => {
    if (condemned !== undefined) watch.store.condemn(condemned);
    if (connect === undefined) return;
    connections.push(connect);
    answerCalls<Api>(connect, calls, onError);
  });
  answerCalls<Api>(port, calls, onError);
  const stopHeartbeat = startHeartbeat(port, watch, jobs);
  await run(stopping.signal);
  await stopHeartbeat();
  await close();
  for (const one of [port, ...connections]) one.close();
}

/** The `run` of a thread that only answers calls. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}
