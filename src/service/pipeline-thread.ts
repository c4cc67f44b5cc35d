// Entry of a pipeline thread: owns a writing connection, carries out the commands of the HTTP thread and works the queue.

import { watchStores } from '../store/write-watch.ts';
import { createLog } from './log.ts';
import { assemblePipeline, createPipelineCalls } from './pipeline.ts';
import { runThread, untilAborted } from './service-thread.ts';
import { openStores, systemClock } from './stores.ts';
import type { PipelineThreadData } from './threads.ts';

await runThread(async ({ config, works }: PipelineThreadData) => {
  const log = createLog(config, { thread: 'pipeline' });
  const watch = watchStores(await openStores(config), systemClock);
  const stores = watch.store;
  const { commands, worker } = await assemblePipeline(stores, config, works, log);
  return {
    calls: createPipelineCalls(stores, commands),
    onError: (error) => log.error(error),
    watch,
    jobs: stores.jobs,
    run: works ? worker.run : untilAborted,
    close: stores.close,
  };
});
