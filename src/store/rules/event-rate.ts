// The rate of events as an average that forgets: one number for each sensor, however many events there are.

import { MINUTE } from '../../domain/instant.ts';

/** After this time a third of an event is left. */
const MEMORY = 10 * MINUTE;

/** What is left of the weight of events after some time. A clock that steps back forgets nothing. */
export function decayed(level: number, elapsedMs: number): number {
  return level * Math.exp(-Math.max(elapsedMs, 0) / MEMORY);
}

export function perMinute(level: number): number {
  return (level * MINUTE) / MEMORY;
}
