// Recorded observations, moved in time: example logs are old the day after they were written.

import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import type { Instant } from '../domain/instant.ts';

/** The same events with all their times moved by one offset, so that the newest was observed at `newestAt`. */
export function shiftEvents(events: readonly SensorEvent[], newestAt: Instant): SensorEvent[] {
  const newest = events.reduce(
    (latest, event) => Math.max(latest, event.observedAt),
    Number.NEGATIVE_INFINITY,
  );
  const offset = newestAt - newest;
  return events.map((event) => ({ ...event, observedAt: event.observedAt + offset }));
}
