// What a batch adds to the activity of its sensors: alike events are one count.

import type { Observation } from '../domain/indicator/sensor-event.ts';
import type { ActivityCount } from '../store/activity.ts';
import type { EventResult, Reporter } from './reporter.ts';

/**
 * @param validated in the order of the results; without an observation where an event was refused.
 * @returns the counts of the accepted events.
 */
export function activityOf(
  validated: readonly (object | { readonly observation: Observation })[],
  results: readonly EventResult[],
  { account, id, title }: Reporter,
): readonly ActivityCount[] {
  const counts = new Map<string, ActivityCount>();
  for (const [index, one] of validated.entries()) {
    if (!('observation' in one) || results[index]?.status !== 'ACCEPTED') continue;
    const { observation } = one;
    const { sensorId: sensor, sensorType, tlp: marking, protocol, intent } = observation;
    const key = JSON.stringify([sensor, marking, protocol, intent]);
    const events = (counts.get(key)?.events ?? 0) + 1;
    counts.set(key, { account, reporter: id, title, sensor, sensorType, marking, protocol, intent, events });
  }
  return [...counts.values()];
}
