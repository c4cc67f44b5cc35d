// Entry of a further thread that answers HTTP, beside the main thread and on the same port. It reads for itself. What must
// be one for all threads is in shared memory, or in the main thread, which it asks.

import { closeGracefully } from '../api/http/close-gracefully.ts';
import { listenOn } from '../api/http/server.ts';
import { storedCollections } from '../pipeline/collections.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { addEventLoopMetrics } from '../telemetry/service-metrics.ts';
import { openClock } from './clock.ts';
import { createHttp } from './http.ts';
import { sharedLimits } from './http-limits.ts';
import type { HttpThreadCalls, HttpThreadData, MainCalls } from './http-threads.ts';
import { keepClock } from './keep-clock.ts';
import { createLog } from './log.ts';
import { pageCaches } from './memory-budget.ts';
import type { MeteringCalls } from './metering.ts';
import type { PipelineCalls } from './pipeline.ts';
import { runThread, untilAborted } from './service-thread.ts';
import { askForTurns } from './shared-turns.ts';
import { openStores, openUsageReader } from './stores.ts';
import { countEvents } from './telemetry.ts';
import { callOverPort } from './thread-calls.ts';

await runThread<HttpThreadData, HttpThreadCalls>(async ({ config, ports }) => {
  const log = createLog(config, { thread: 'http' });
  const [commands, metering] = await Promise.all([
    callOverPort<PipelineCalls>(ports.pipeline),
    callOverPort<MeteringCalls>(ports.metering),
  ]);
  const stores = await openStores(config, pageCaches(config, 'http'));
  const usage = await openUsageReader(config, pageCaches(config, 'usage'));
  const clock = await openClock(stores);
  const leaveClock = keepClock(clock, { saves: false, reports: false }, log);
  const stopping = new AbortController();
  const metrics = new Metrics();
  addEventLoopMetrics(metrics);
  let drain = async (_withinMs: number): Promise<boolean> => true;
  return {
    calls: {
      listen: async (port, memory) => {
        const main = await callOverPort<MainCalls>(ports.main);
        const { app } = await createHttp(
          {
            log,
            metrics,
            readiness: main.readiness,
            stopping: stopping.signal,
            stores,
            usage,
            clock,
            commands: { ...commands, ingest: countEvents(commands.ingest, metrics, log) },
            metering,
            slowReads: main,
            collections: await storedCollections(stores),
            limits: sharedLimits(memory, askForTurns(main), 'further'),
          },
          config,
        );
        drain = (withinMs) => closeGracefully(app, withinMs);
        await listenOn(app, config.host, port, 'further');
      },
      drain: (withinMs) => {
        stopping.abort();
        return drain(withinMs);
      },
      metrics: () => metrics.snapshot(),
    },
    onError: (error) => log.error(error),
    watch: {
      store: {
        findDamage: () => stores.findDamage() ?? usage.findDamage(),
        condemn: (damage) => {
          stores.condemn(damage);
          usage.condemn(damage);
        },
      },
      writable: true,
      probe: async () => undefined,
    },
    run: untilAborted,
    close: async () => {
      await leaveClock();
      await usage.close();
      await stores.close();
      for (const port of Object.values(ports)) port.close();
    },
  };
});
