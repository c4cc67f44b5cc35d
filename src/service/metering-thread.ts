// Entry of the metering thread: owns the writing connection to the usage file, notes use for the HTTP thread and exports it.
// Nothing else writes there, so a search waits for one fsync and never for the pipeline.

import type { Config } from '../config.ts';
import { watchUsage } from '../store/write-watch.ts';
import { createLog } from './log.ts';
import { pageCaches } from './memory-budget.ts';
import { createMeteringCalls, runExport } from './metering.ts';
import { runThread } from './service-thread.ts';
import { openUsage, systemClock } from './stores.ts';

await runThread(async (config: Config) => {
  const log = createLog(config, { thread: 'metering' });
  const watch = watchUsage(await openUsage(config, pageCaches(config, 'usage')), systemClock);
  const usage = watch.store;
  return {
    calls: createMeteringCalls(usage, config),
    onError: (error) => log.error(error),
    watch,
    run: (stopping) => runExport(usage, config, log, stopping),
    close: usage.close,
  };
});
