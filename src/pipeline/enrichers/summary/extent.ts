// How often, since when and by how many sensors. Counts are told in doublings and times in days: an exact count would
// change the summary with every event, and each changed summary is a new version in the feed.

import type { IndicatorRecord } from '../../../domain/indicator/indicator.ts';
import { SENSOR_DAY_LIMIT } from '../../../domain/indicator/merge.ts';
import { type Instant, toRfc3339 } from '../../../domain/instant.ts';

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/**
 * Such as `at least 64 times from 2026-01-15 to 2026-02-01`. Of what a person disputed, only the first day: further
 * reports change nothing of it in the feed.
 */
export function howOften({ indicator, disputedAt }: IndicatorRecord): string {
  const { sightings, firstSeen, lastSeen } = indicator;
  if (disputedAt !== undefined) return `first on ${dateOf(firstSeen)}`;
  let events = 0n;
  for (const { count } of sightings) events += count;
  return `${times(events)} ${period(firstSeen, lastSeen)}`;
}

/** In the steps in which the score changes anyway (corroboration.ts). */
function times(events: bigint): string {
  if (events <= 1n) return 'once';
  if (events < 4n) return 'two or three times';
  if (events >= 1_024n) return 'more than 1,000 times';
  return `at least ${2 ** (events.toString(2).length - 1)} times`;
}

export function period(firstSeen: Instant, lastSeen: Instant): string {
  const first = dateOf(firstSeen);
  const last = dateOf(lastSeen);
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
}

function dateOf(instant: Instant): string {
  return toRfc3339(instant).slice(0, DATE_LENGTH);
}

const SENSOR_KINDS = {
  UNSPECIFIED: 'sensor',
  ICS: 'control-system sensor',
  NETWORK: 'network sensor',
  ENDPOINT: 'endpoint sensor',
} as const;

/** Such as `2 network sensors`. Undefined if no sensor saw it. */
export function sensors({ indicator, evidence }: IndicatorRecord): string | undefined {
  const { sensorDays } = evidence;
  // Sensor-days are `sensor/day`. The id of a sensor may contain slashes.
  const count = new Set(sensorDays.map((sensorDay) => sensorDay.slice(0, sensorDay.lastIndexOf('/')))).size;
  if (count === 0) return undefined;
  const kind = SENSOR_KINDS[indicator.sensorType];
  if (sensorDays.length >= SENSOR_DAY_LIMIT) return `at least ${counted(count, kind)}`;
  return count === 1 ? `${kind === SENSOR_KINDS.ENDPOINT ? 'an' : 'a'} ${kind}` : counted(count, kind);
}

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join();
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
