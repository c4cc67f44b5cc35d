// Starting and stopping pipeline threads (their entry is pipeline-thread.ts).

import { Worker } from 'node:worker_threads';
import type { Config } from './config.ts';
import type { Commands } from './pipeline/commands.ts';
import { callCommands, READY, STOP } from './pipeline/thread-port.ts';
import type { PipelineThreadData } from './pipeline-thread.ts';

export interface PipelineThread {
  /** Carried out by the thread, on its own writing connection. */
  readonly commands: Commands;
  /** Resolves when the thread died; never when it was stopped. */
  readonly failed: Promise<Error>;
  /** Resolves once the batch in hand is stored and the thread has ended. */
  stop(): Promise<void>;
}

/**
 * Resolves when the thread takes commands; rejects when it could not start.
 * @param works whether it works the queue too.
 */
export async function startPipelineThread(config: Config, works: boolean): Promise<PipelineThread> {
  const data: PipelineThreadData = { config, works };
  const thread = new Worker(new URL('./pipeline-thread.ts', import.meta.url), { workerData: data });
  await new Promise<void>((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (message) => {
      thread.off('error', reject);
      if (message === READY) resolve();
      else reject(new Error('a pipeline thread did not start'));
    });
  });
  const ended = new Promise<number>((resolve) => thread.once('exit', resolve));
  const failed = new Promise<Error>((resolve) => {
    thread.on('error', resolve);
    void ended.then((code) => code !== 0 && resolve(new Error(`a pipeline thread ended with code ${code}`)));
  });
  return {
    commands: callCommands(thread),
    failed,
    stop: async () => {
      thread.postMessage(STOP);
      await ended;
    },
  };
}
