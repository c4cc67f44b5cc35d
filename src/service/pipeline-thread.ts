// Entry of a pipeline thread: owns a writing connection, carries out the commands of the HTTP thread and works the queue.

import { watchStores } from '../store/write-watch.ts';
import { openClock } from './clock.ts';
import { keepClock } from './keep-clock.ts';
import { createLog } from './log.ts';
import { assemblePipeline, createPipelineCalls } from './pipeline.ts';
import { runThread, untilAborted } from './service-thread.ts';
import { openStores, systemClock } from './stores.ts';
import type { PipelineThreadData } from './threads.ts';

await runThread(async ({ config, works }: PipelineThreadData) => {
  const log = createLog(config, { thread: 'pipeline' });
  const watch = watchStores(await openStores(config), systemClock);
  const stores = watch.store;
  const clock = await openClock(stores);
  const pipeline = await assemblePipeline(stores, config, { works, clock, log });
  const leaveClock = keepClock(clock, { saves: true, reports: false }, log);
  return {
    calls: createPipelineCalls(stores, pipeline),
    onError: (error) => log.error(error),
    watch,
    jobs: stores.jobs,
    run: works ? pipeline.worker.run : untilAborted,
    close: async () => {
      await leaveClock();
      await stores.close();
    },
  };
});
