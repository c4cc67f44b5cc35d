// Starting and stopping the threads of the service. Each has an entry file of its own.

import { Worker } from 'node:worker_threads';
import { ConfigError } from '../config.ts';
import { type HeardVitals, hearVitals } from './heartbeat.ts';
import { READY, STOP } from './thread-port.ts';

/** Longer than any batch, unless an enricher hangs. */
const STOP_WITHIN_MS = 10_000;

export interface ServiceThread {
  readonly worker: Worker;
  /** Resolves when the thread died; never when it was stopped. */
  readonly failed: Promise<Error>;
  readonly vitals: () => HeardVitals;
  /**
   * Resolves once the work in hand is done and the thread has ended; after the time given it is ended by force.
   * @returns whether it ended by itself.
   */
  stop(withinMs?: number): Promise<boolean>;
}

/**
 * Resolves when the thread takes calls; rejects when it could not start.
 * @param name for messages, such as `a pipeline thread`.
 * @param data handed over as `workerData`.
 */
export async function startThread(entry: URL, name: string, data: unknown): Promise<ServiceThread> {
  const worker = new Worker(entry, { workerData: data });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => reject(asThrown(error));
    worker.once('error', fail);
    worker.once('message', (message) => {
      worker.off('error', fail);
      if (message === READY) resolve();
      else reject(new Error(`${name} did not start`));
    });
  });
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
  return { worker, failed, vitals: hearVitals(worker), stop };
}

/**
 * Waits for all of them. When one can not start, the others are stopped: a thread left behind would keep the process
 * alive that has just said why it ends.
 */
export async function allStarted<Starting extends readonly Promise<ServiceThread>[] | []>(
  starting: Starting,
): Promise<{ -readonly [Place in keyof Starting]: Awaited<Starting[Place]> }> {
  const settled = await Promise.allSettled<Promise<ServiceThread>[]>([...starting]);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed === undefined) return Promise.all(starting);
  await Promise.all(settled.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)));
  throw failed.reason;
}

/** An error loses its class on the way out of a thread, and with it the plain words a wrong configuration is told in. */
function asThrown(error: unknown): unknown {
  return error instanceof Error && error.name === ConfigError.name
    ? new ConfigError(error.message.split('\n'))
    : error;
}
