// Counts what became of the events that came over HTTP.

import type { Commands, EventResult } from '../pipeline/commands.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** @returns an ingest that counts each result once it is durable. */
export function countEvents(ingest: Commands['ingest'], metrics: Metrics): Commands['ingest'] {
  const events = metrics.counter(
    'ingest_events_total',
    'Events received over HTTP, by what became of them.',
    ['status'],
  );
  const counters: Readonly<Record<EventResult['status'], { add(): void }>> = {
    ACCEPTED: events.with('accepted'),
    DUPLICATE: events.with('duplicate'),
    REFUSED: events.with('refused'),
  };
  return async (...given) => {
    const results = await ingest(...given);
    for (const { status } of results) counters[status].add();
    return results;
  };
}
