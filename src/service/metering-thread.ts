// Entry of the metering thread: owns the writing connection to the usage file, notes use for the HTTP thread and exports it.
// Nothing else writes there, so a search waits for one fsync and never for the pipeline.

import type { Config } from '../config.ts';
import { createConsumerTracking } from '../metering/consumer-tracking.ts';
import { watchUsage } from '../store/write-watch.ts';
import { createLog } from './log.ts';
import { pageCaches } from './memory-budget.ts';
import { createMeteringCalls, followConsumers, runExport } from './metering.ts';
import { runThread } from './service-thread.ts';
import { openUsage, systemClock } from './stores.ts';

await runThread(async (config: Config) => {
  const log = createLog(config, { thread: 'metering' });
  const watch = watchUsage(await openUsage(config, pageCaches(config, 'usage')), systemClock);
  const usage = watch.store;
  const tracking = createConsumerTracking();
  return {
    calls: createMeteringCalls(usage, tracking, config),
    onError: (error) => log.error(error),
    watch,
    run: async (stopping) => {
      await Promise.all([
        runExport(usage, config, log, stopping),
        followConsumers(usage, tracking, systemClock, stopping),
      ]);
    },
    close: usage.close,
  };
});
