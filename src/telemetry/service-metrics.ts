// What the service tells of its store and its queue.

import type { Clock } from '../domain/instant.ts';
import type { FeedReader, JobReader } from '../store/stores.ts';
import type { Metrics } from './metrics.ts';
import { backlogAge } from './readiness.ts';

export interface ServiceState {
  readonly feed: Pick<FeedReader, 'last'>;
  readonly jobs: Pick<JobReader, 'nextDueAt'>;
  /** How much is queued, as last counted; undefined when it is not known. */
  readonly queued: () => { readonly pending: number; readonly dead: number } | undefined;
  readonly storeWritable: () => boolean;
  readonly clock: Clock;
}

export function addServiceMetrics(metrics: Metrics, state: ServiceState): void {
  metrics.gauge(
    'pipeline_backlog_age_seconds',
    'How long the job that waits longest has been due.',
    async () => [{ value: await backlogAge(state.jobs, state.clock) }],
  );
  metrics.gauge('pipeline_jobs', 'Queued jobs, counted every ten seconds, and dead letters.', () => {
    const queued = state.queued();
    if (queued === undefined) return [];
    return [
      { labels: { state: 'pending' }, value: queued.pending },
      { labels: { state: 'dead' }, value: queued.dead },
    ];
  });
  metrics.gauge('feed_last_added_timestamp', 'date_added of the newest entry, in seconds.', async () => {
    const last = await state.feed.last();
    return last === undefined ? [] : [{ value: last / 1e6 }];
  });
  metrics.gauge('store_writable', 'Whether the last change or probe reached the disk.', () => [
    { value: state.storeWritable() ? 1 : 0 },
  ]);
}
