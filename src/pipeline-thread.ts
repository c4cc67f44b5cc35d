// Entry of a pipeline thread: owns a writing connection, runs commands for the HTTP thread and works the queue.

import { parentPort, workerData } from 'node:worker_threads';
import { createPipeline, logError, openStores } from './compose.ts';
import type { Config } from './config.ts';
import { answerCommands, READY, STOP } from './pipeline/thread-port.ts';

/** What the parent hands over. */
export interface PipelineThreadData {
  readonly config: Config;
  /** Whether this thread works the queue, or only carries out commands. */
  readonly works: boolean;
}

async function run(data: PipelineThreadData): Promise<void> {
  if (parentPort === null) throw new Error('this file is the entry of a worker thread');
  const port = parentPort;
  const stores = openStores(data.config);
  const { commands, worker } = await createPipeline(stores, data.config);
  const stopping = new AbortController();
  port.on('message', (message: unknown) => {
    if (message === STOP) stopping.abort();
  });
  answerCommands(port, commands, logError);
  port.postMessage(READY);
  if (data.works) await worker.run(stopping.signal);
  else await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
  await stores.close();
  port.close();
}

await run(workerData as PipelineThreadData);
