// What the process itself can tell: memory, processor time, start, and how long its event loop was held up.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

/** How often the delay is sampled, in milliseconds: a delay shorter than this says nothing. */
const RESOLUTION_MS = 20;

/** Names as OpenTelemetry and the Prometheus client libraries have them. */
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

  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // What is measured is the time between two samples; the delay is what it has above the resolution.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3);
  metrics.gauge('nodejs_eventloop_delay_seconds', 'Delay of the HTTP thread since the last scrape.', () => {
    if (delay.count === 0) return [];
    const readings = [
      { labels: { quantile: '0.5' }, value: seconds(delay.percentile(50)) },
      { labels: { quantile: '0.99' }, value: seconds(delay.percentile(99)) },
      { labels: { quantile: '1' }, value: seconds(delay.max) },
    ];
    delay.reset();
    return readings;
  });
}
