// Metrics and readiness of a running service.

import type { Config } from '../config.ts';
import { HOUR, toRfc3339 } from '../domain/instant.ts';
import { ageInDays, type InstalledData } from '../pipeline/data-sets/installed-data.ts';
import type { Ingest } from '../pipeline/ingest.ts';
import { QUOTA_REFUSALS } from '../pipeline/quota.ts';
import type { EventResult } from '../pipeline/reporter.ts';
import type { Damage } from '../store/damage.ts';
import type { Stores } from '../store/stores.ts';
import type { UsageReader } from '../store/usage.ts';
import type { Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { createReadiness, type DataHealth, type Readiness } from '../telemetry/readiness.ts';
import { addEventLoopMetrics, addProcessMetrics, addServiceMetrics } from '../telemetry/service-metrics.ts';
import type { ServiceClock } from './clock.ts';
import type { Heartbeat } from './heartbeat.ts';
import { systemClock } from './stores.ts';

export interface ServiceTelemetry {
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
}

export interface TelemetryParts {
  readonly stores: Stores;
  readonly usage: UsageReader;
  /** One for each thread. All threads that count jobs count the same queue. */
  readonly heartbeats: () => readonly Heartbeat[];
  readonly clock: ServiceClock;
  /** What is known to be wrong with the store. */
  readonly damages: () => readonly Damage[];
  /** The data that `tis data install` has installed. */
  readonly installed: () => readonly InstalledData[];
  readonly stopping: AbortSignal;
  readonly config: Config;
}

export function createServiceTelemetry({
  stores,
  usage,
  heartbeats,
  clock,
  damages,
  installed,
  stopping,
  config,
}: TelemetryParts): ServiceTelemetry {
  const metrics = new Metrics();
  addProcessMetrics(metrics);
  addEventLoopMetrics(metrics);
  addServiceMetrics(metrics, {
    feed: stores.feed,
    jobs: stores.jobs,
    usage,
    queued: () => heartbeats().find(({ jobs }) => jobs !== undefined)?.jobs,
    storeWritable: () => heartbeats().every(({ storeWritable }) => storeWritable),
    clock: clock.service,
    clockReport: clock.report,
  });
  const readiness = createReadiness({
    jobs: stores.jobs,
    threads: heartbeats,
    damages,
    data: () => installed().map((data) => dataHealth(data, systemClock())),
    stopping,
    backlogLimitSeconds: config.readyBacklogSeconds,
    clock: clock.service,
    clockReport: clock.report,
  });
  return { metrics, readiness };
}

function dataHealth(data: InstalledData, now: number): DataHealth {
  const { kind, name, version, builtAt, licence, attribution } = data;
  return {
    kind,
    name,
    ...(version === undefined ? {} : { version }),
    builtAt: toRfc3339(builtAt),
    ageDays: ageInDays(data, now),
    ...(licence === undefined ? {} : { licence }),
    ...(attribution === undefined ? {} : { attribution }),
  };
}

/**
 * @returns an ingest that also counts each result, once it is durable, and logs each reporter over its quota once an
 * hour.
 */
export function countEvents(ingest: Ingest, metrics: Metrics, log: Pick<Log, 'warn'>): Ingest {
  const events = metrics.counter('ingest_events_total', 'Events received over HTTP, by result.', ['status']);
  const counters: Readonly<Record<EventResult['status'], { add(): void }>> = {
    ACCEPTED: events.with('accepted'),
    DUPLICATE: events.with('duplicate'),
    REFUSED: events.with('refused'),
  };
  const refusals = metrics.counter('ingest_events_refused_total', 'Refused events, by reason.', ['reason']);
  for (const reason of QUOTA_REFUSALS) refusals.with(reason);
  const warned = new Set<string>();
  let warnedIn = 0;
  return async (events, reporter, requestId) => {
    const results = await ingest(events, reporter, requestId);
    for (const { status, reason } of results) {
      counters[status].add();
      if (reason !== undefined) refusals.with(reason).add();
    }
    const quota = QUOTA_REFUSALS.find((reason) => results.some((result) => result.reason === reason));
    if (quota === undefined) return results;
    const hour = Math.floor(systemClock() / HOUR);
    if (hour !== warnedIn) warned.clear();
    warnedIn = hour;
    if (!warned.has(reporter.group)) {
      warned.add(reporter.group);
      const { account, group } = reporter;
      log.warn(
        { account, reporter: group, reason: quota },
        'events are refused: a quota of the day is used up',
      );
    }
    return results;
  };
}
