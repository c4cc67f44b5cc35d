// Sightings: one per source and UTC day. The newest 100 stay daily; older ones are folded into one per source.
//
// The list has two parts: up to DAILY_LIMIT daily sightings, newest first, then the folded ones. Folding begins when
// the first part is full. Only the day and the source id decide what is folded, never a count or the order of arrival.
// Equal observations therefore give equal lists.

import { dayOf, type Instant } from '../instant.ts';
import { compareText } from '../sorted-list.ts';
import type { Sighting } from './indicator.ts';

export const DAILY_LIMIT = 100;

/** The highest uint64, the type of the contract. A count stops there. */
const COUNT_LIMIT = 2n ** 64n - 1n;

/** The sightings with one observation added. */
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

/** Searches from the newest: most events arrive in the order of time. */
function insert(list: Sighting[], sighting: Sighting): void {
  const place = list.findIndex((other) => newestFirst(sighting, other) < 0);
  list.splice(place < 0 ? list.length : place, 0, sighting);
}

/** Removes a sighting of the oldest day. The source id decides which one, since the time of day still changes. */
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
