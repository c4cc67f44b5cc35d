// What a running service tells of itself: its metrics, and whether it is ready.

import type { Config } from '../config.ts';
import type { Stores } from '../store/stores.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { addProcessMetrics } from '../telemetry/process-metrics.ts';
import { createReadiness, type Readiness } from '../telemetry/readiness.ts';
import { addServiceMetrics } from '../telemetry/service-metrics.ts';
import { systemClock } from './compose.ts';
import type { HeardVitals } from './heartbeat.ts';

export interface ServiceTelemetry {
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
}

/** @param vitals of every thread; those that count jobs all count the same queue. */
export function createServiceTelemetry(
  stores: Stores,
  vitals: () => readonly HeardVitals[],
  stopping: AbortSignal,
  config: Config,
): ServiceTelemetry {
  const metrics = new Metrics();
  addProcessMetrics(metrics);
  addServiceMetrics(metrics, {
    feed: stores.feed,
    jobs: stores.jobs,
    queued: () => vitals().find(({ jobs }) => jobs !== undefined)?.jobs,
    storeWritable: () => vitals().every(({ storeWritable }) => storeWritable),
    clock: systemClock,
  });
  const readiness = createReadiness({
    jobs: stores.jobs,
    threads: vitals,
    stopping,
    backlogLimitSeconds: config.readyBacklogSeconds,
    clock: systemClock,
  });
  return { metrics, readiness };
}
