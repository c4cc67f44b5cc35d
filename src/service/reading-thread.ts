// Entry of the reading thread. It writes nothing.

import type { Config } from '../config.ts';
import { createLog } from './log.ts';
import { pageCaches } from './memory-budget.ts';
import { createReadingCalls } from './reading.ts';
import { runThread, untilAborted } from './service-thread.ts';
import { openStores } from './stores.ts';

await runThread(async (config: Config) => {
  const log = createLog(config, { thread: 'reading' });
  const stores = await openStores(config, pageCaches(config, 'reading'));
  return {
    calls: createReadingCalls(stores),
    onError: (error) => log.error(error),
    watch: { store: stores, writable: true, probe: async () => undefined },
    run: untilAborted,
    close: stores.close,
  };
});
