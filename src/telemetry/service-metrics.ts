// Gauges of the service: its store, its queue, unsent usage events and the process.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Clock, SECOND } from '../domain/instant.ts';
import type { FeedReader } from '../store/feed.ts';
import type { JobReader } from '../store/jobs.ts';
import type { UsageReader } from '../store/usage.ts';
import type { Metrics } from './metrics.ts';
import { backlogAge, type ClockHealth, clockOffsetSeconds } from './readiness.ts';

/** Sampling interval of the event loop delay. Shorter delays are not measured. */
const RESOLUTION_MS = 20;

export interface ServiceState {
  readonly feed: Pick<FeedReader, 'bounds'>;
  readonly jobs: Pick<JobReader, 'nextDueAt'>;
  readonly usage: Pick<UsageReader, 'outbox'>;
  /** The last count of queued jobs. Undefined if nobody has counted yet. */
  readonly queued: () => { readonly pending: number; readonly dead: number } | undefined;
  readonly storeWritable: () => boolean;
  readonly clock: Clock;
  readonly clockReport: () => ClockHealth;
}

export function addServiceMetrics(metrics: Metrics, state: ServiceState): void {
  metrics.gauge('pipeline_backlog_age_seconds', 'Waiting time of the oldest due job.', async () => [
    { value: await backlogAge(state.jobs, state.clock) },
  ]);
  metrics.gauge('pipeline_jobs', 'Queued jobs and dead letters, counted every ten seconds.', () => {
    const queued = state.queued();
    if (queued === undefined) return [];
    return [
      { labels: { state: 'pending' }, value: queued.pending },
      { labels: { state: 'dead' }, value: queued.dead },
    ];
  });
  metrics.gauge('feed_last_added_timestamp', 'date_added of the newest entry, in seconds.', async () => {
    const bounds = await state.feed.bounds('RED');
    return bounds === undefined ? [] : [{ value: bounds.end.dateAdded / 1e6 }];
  });
  metrics.gauge('store_writable', '1 if the last write to the store reached the disk, else 0.', () => [
    { value: state.storeWritable() ? 1 : 0 },
  ]);
  metrics.gauge('clock_steady', '1 if the clock of the machine is believed, else 0.', () => [
    { value: state.clockReport().state === 'steady' ? 1 : 0 },
  ]);
  metrics.gauge(
    'clock_offset_seconds',
    'How far that clock is ahead of the service; negative: behind.',
    () => [{ value: clockOffsetSeconds(state.clockReport()) }],
  );
  addUsageMetrics(metrics, state);
}

/** Without a usage sink nothing waits, and these stay 0. */
function addUsageMetrics(metrics: Metrics, { usage, clock }: ServiceState): void {
  metrics.gauge('usage_outbox_events', 'Usage events that the usage sink has not accepted yet.', async () => [
    { value: (await usage.outbox()).events },
  ]);
  metrics.gauge('usage_outbox_searches', 'Searches in these usage events.', async () => [
    { value: (await usage.outbox()).searches },
  ]);
  metrics.gauge('usage_outbox_lookups', 'Lookups in these usage events.', async () => [
    { value: (await usage.outbox()).lookups },
  ]);
  metrics.gauge('usage_outbox_age_seconds', 'Waiting time of the oldest of these usage events.', async () => {
    const { oldestAt } = await usage.outbox();
    return [{ value: oldestAt === undefined ? 0 : Math.max(0, (clock() - oldestAt) / SECOND) }];
  });
}

/** The names are those of OpenTelemetry and of the Prometheus client libraries. */
export function addProcessMetrics(metrics: Metrics): void {
  metrics.gauge('process_resident_memory_bytes', 'Resident memory of the process, all threads.', () => [
    { value: process.memoryUsage.rss() },
  ]);
  metrics.readCounter('process_cpu_seconds_total', 'Processor time used, all threads.', () => {
    const { user, system } = process.cpuUsage();
    return [{ value: (user + system) / 1e6 }];
  });
  metrics.gauge('process_start_time_seconds', 'Start of the process since the epoch.', () => [
    { value: (performance.timeOrigin + performance.now()) / 1_000 - process.uptime() },
  ]);
}

/** Of a thread that answers HTTP. */
export function addEventLoopMetrics(metrics: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // Node measures the time between two samples, which contains the interval.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3);
  metrics.gauge(
    'nodejs_eventloop_delay_seconds',
    'Delay of the slowest HTTP thread since the last scrape.',
    () => {
      if (delay.count === 0) return [];
      const readings = [
        { labels: { quantile: '0.5' }, value: seconds(delay.percentile(50)) },
        { labels: { quantile: '0.99' }, value: seconds(delay.percentile(99)) },
        { labels: { quantile: '1' }, value: seconds(delay.max) },
      ];
      delay.reset();
      return readings;
    },
  );
}
