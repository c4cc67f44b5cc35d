// Entry of a pipeline thread: owns a writing connection, carries out the commands of the HTTP thread and works the queue.

import { isStoreDamaged } from '../store/damage.ts';
import { watchStores } from '../store/write-watch.ts';
import type { Log } from '../telemetry/log.ts';
import { openClock } from './clock.ts';
import { keepClock } from './keep-clock.ts';
import { createLog } from './log.ts';
import { pageCaches } from './memory-budget.ts';
import { assemblePipeline, createPipelineCalls, keepPipelineData, type Pipeline } from './pipeline.ts';
import { runThread, untilAborted } from './service-thread.ts';
import { openStores, systemClock } from './stores.ts';
import type { PipelineThreadData } from './threads.ts';

await runThread(async ({ config, works }: PipelineThreadData) => {
  const log = createLog(config, { thread: 'pipeline' });
  const watch = watchStores(await openStores(config, pageCaches(config, 'pipeline')), systemClock);
  const stores = watch.store;
  const clock = await openClock(stores);
  const pipeline = await assemblePipeline(stores, config, { works, clock, reads: 'requests', log });
  const leaveClock = keepClock(clock, { saves: true, reports: false }, log);
  const leaveData = keepPipelineData(pipeline, log);
  return {
    calls: createPipelineCalls(stores, pipeline),
    onError: (error) => log.error(error),
    watch,
    jobs: stores.jobs,
    run: works ? (stopping) => runUntilDamaged(pipeline, stopping, log) : untilAborted,
    close: async () => {
      await leaveData();
      await leaveClock();
      await stores.close();
    },
  };
});

/** On a damaged store the thread stays, so that commands are refused with the cause. */
async function runUntilDamaged(pipeline: Pipeline, stopping: AbortSignal, log: Log): Promise<void> {
  try {
    // Beside the work: it reads every stored value.
    pipeline.reviewStored(stopping).catch((error) => log.error(error));
    await pipeline.worker.run(stopping);
  } catch (error) {
    if (!isStoreDamaged(error)) throw error;
    log.error({ err: error }, 'the pipeline has stopped');
    await untilAborted(stopping);
  }
}
