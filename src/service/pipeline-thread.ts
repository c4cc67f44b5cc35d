// Entry of a pipeline thread: owns a writing connection, runs commands for the HTTP thread and works the queue.

import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../config.ts';
import { createKeyCommands } from '../gateway/key-commands.ts';
import { createStatuses } from '../pipeline/statuses.ts';
import { watchStores } from '../store/write-watch.ts';
import { assemblePipeline, createLog, openStores, systemClock } from './compose.ts';
import { reportVitals } from './heartbeat.ts';
import type { PipelineCalls } from './thread-calls.ts';
import { answerCalls, READY, STOP } from './thread-port.ts';

/** What the parent hands over. */
export interface PipelineThreadData {
  readonly config: Config;
  /** Whether this thread works the queue, or only carries out commands. */
  readonly works: boolean;
}

async function run(data: PipelineThreadData): Promise<void> {
  if (parentPort === null) throw new Error('this file is the entry of a worker thread');
  const port = parentPort;
  const log = createLog(data.config, { thread: 'pipeline' });
  const watch = watchStores(await openStores(data.config), systemClock);
  const stores = watch.store;
  const { commands, worker } = await assemblePipeline(stores, data.config, data.works, log);
  const stopping = new AbortController();
  port.on('message', (message: unknown) => {
    if (message === STOP) stopping.abort();
  });
  const calls: PipelineCalls = {
    ...commands,
    ...createKeyCommands(stores, systemClock),
    ...createStatuses(stores, systemClock),
  };
  answerCalls<PipelineCalls>(port, calls, (error) => log.error(error));
  port.postMessage(READY);
  const silence = reportVitals(port, watch, stores.jobs);
  if (data.works) await worker.run(stopping.signal);
  else await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
  await silence();
  await stores.close();
  port.close();
}

await run(workerData as PipelineThreadData);
