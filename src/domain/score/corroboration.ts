// How repetition raises the quality of evidence. Each of these removes a share of the doubt that is left:
//
//   distinct sensor-days n           1 − 0.5 × (1 − 2^(−(n−1)/5))
//   events, in doublings e           1 − 0.4 × (1 − 2^(−e/3))
//   kinds of acts k                  1 − 0.4 × (1 − 2^(−(k−1)/3))
//   minutes seen, in doublings m     1 − 0.3 × (1 − 2^(−m/8))
//
// The product is the share of the doubt that stays, never less than an eighth. No repetition makes a source more reliable
// than it is. Doublings keep the steps few, since every changed score is a new version in the feed.

import type { IndicatorRecord, Sighting } from '../indicator/indicator.ts';
import type { Corroboration } from './score-receipt.ts';

/** 1,024 events. More would not say more. */
const DOUBLINGS_LIMIT = 10;
const MINUTE = 60_000;

/** @returns the share that stays after some steps, of which `half` remove half of what can be removed. */
function shareAfter(steps: number, removable: number, half: number): number {
  return 1 - removable * (1 - 2 ** (-Math.max(0, steps) / half));
}

export function doublingsOf(sightings: readonly Pick<Sighting, 'count'>[]): number {
  let events = 0n;
  for (const { count } of sightings) events += count;
  const doublings = events.toString(2).length - 1;
  return Math.min(DOUBLINGS_LIMIT, doublings);
}

export function corroborationOf({ indicator, evidence }: IndicatorRecord): Corroboration {
  const counts = {
    sensorDays: evidence.sensorDays.length,
    doublings: doublingsOf(indicator.sightings),
    acts: evidence.behaviours.length,
    spanDoublings: Math.floor(Math.log2(1 + (indicator.lastSeen - indicator.firstSeen) / MINUTE)),
  };
  return { ...counts, doubt: doubtAfter(counts) };
}

export function doubtAfter({
  sensorDays,
  doublings,
  acts,
  spanDoublings,
}: Omit<Corroboration, 'doubt'>): number {
  return (
    shareAfter(sensorDays - 1, 0.5, 5) *
    shareAfter(doublings, 0.4, 3) *
    shareAfter(acts - 1, 0.4, 3) *
    shareAfter(spanDoublings, 0.3, 8)
  );
}
