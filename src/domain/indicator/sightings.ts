// Sightings: one per source and UTC day. The newest hundred are kept apart, older ones are folded into one per source.
//
// The list keeps both parts: up to DAILY_LIMIT daily sightings, newest first, and behind them the folded ones, which
// exist only once the first part is full. Which days are folded depends on the days alone, never on counts or on the
// order of arrival; so the same observations give the same list in whatever order they come.

import { dayOf, type Instant } from '../instant.ts';
import { compareText } from '../sorted-list.ts';
import type { Sighting } from './indicator.ts';

export const DAILY_LIMIT = 100;

/** The highest count that the contract (uint64) can carry; counts stop there. */
const COUNT_LIMIT = 2n ** 64n - 1n;

/** The sightings with one observation more. */
export function withSighting(
  sightings: readonly Sighting[],
  sourceId: string,
  observedAt: Instant,
  count: bigint,
): readonly Sighting[] {
  const sighting: Sighting = { sourceId, observedAt, count: count > COUNT_LIMIT ? COUNT_LIMIT : count };
  const daily = sightings.slice(0, DAILY_LIMIT);
  const folded = sightings.slice(DAILY_LIMIT);
  const day = dayOf(observedAt);
  const same = daily.findIndex((other) => other.sourceId === sourceId && dayOf(other.observedAt) === day);
  if (same >= 0) {
    const [other = sighting] = daily.splice(same, 1);
    insert(daily, combine(other, sighting));
    return [...daily, ...folded];
  }
  insert(daily, sighting);
  if (daily.length > DAILY_LIMIT) fold(folded, takeOldest(daily));
  return [...daily, ...folded];
}

function combine(a: Sighting, b: Sighting): Sighting {
  const sum = a.count + b.count;
  return {
    sourceId: a.sourceId,
    observedAt: Math.max(a.observedAt, b.observedAt),
    count: sum > COUNT_LIMIT ? COUNT_LIMIT : sum,
  };
}

function newestFirst(a: Sighting, b: Sighting): number {
  return b.observedAt - a.observedAt || compareText(a.sourceId, b.sourceId);
}

/** Events come mostly in the order of time, so the place is mostly the first. */
function insert(list: Sighting[], sighting: Sighting): void {
  const place = list.findIndex((other) => newestFirst(sighting, other) < 0);
  list.splice(place < 0 ? list.length : place, 0, sighting);
}

/** Of the sightings of the oldest day the one whose source id sorts last: a choice that time of day cannot sway. */
function takeOldest(daily: Sighting[]): Sighting | undefined {
  let oldest = daily.length - 1;
  const day = dayOf(daily[oldest]?.observedAt ?? 0);
  for (let index = oldest - 1; index >= 0; index--) {
    const sighting = daily[index];
    if (sighting === undefined || dayOf(sighting.observedAt) !== day) break;
    if (compareText(sighting.sourceId, daily[oldest]?.sourceId ?? '') > 0) oldest = index;
  }
  return daily.splice(oldest, 1)[0];
}

function fold(folded: Sighting[], sighting: Sighting | undefined): void {
  if (sighting === undefined) return;
  const same = folded.findIndex((other) => other.sourceId === sighting.sourceId);
  const [other] = same < 0 ? [] : folded.splice(same, 1);
  insert(folded, other === undefined ? sighting : combine(other, sighting));
}
