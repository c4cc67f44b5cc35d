// The days, months, years and decades under which an instant stands in the search index: any window of time is a
// union of a few of them.

import type { TimeWindow } from '../../../domain/filter.ts';
import { DAY, type Instant } from '../../../domain/instant.ts';

/** Instants outside these fifty years count as their first or last day: the index narrows, the row decides. */
const FIRST_DAY = Date.UTC(2000, 0, 1) / DAY;
const LAST_DAY = Date.UTC(2049, 11, 31) / DAY;

interface Stretch {
  readonly token: string;
  /** Days since 1970: the first one inside, and the first one behind. */
  readonly first: number;
  readonly end: number;
}

export function calendarTokens(instant: Instant): string[] {
  return stretchesAround(calendarDay(instant)).map(({ token }) => token);
}

/** Tokens that together hold the window. The edges may stand out: they are to be checked on the row. */
export function coverWindow({ start, end }: TimeWindow): string[] {
  const cover: string[] = [];
  let day = start === undefined ? FIRST_DAY : calendarDay(start);
  // Of an empty window, one day.
  const lastDay = Math.max(day, end === undefined ? LAST_DAY : calendarDay(end - 1));
  while (day <= lastDay) {
    const longest = stretchesAround(day).find(
      (stretch) => stretch.first === day && stretch.end - 1 <= lastDay,
    );
    if (longest === undefined) break;
    cover.push(longest.token);
    day = longest.end;
  }
  return cover;
}

function calendarDay(instant: Instant): number {
  return Math.min(Math.max(Math.floor(instant / DAY), FIRST_DAY), LAST_DAY);
}

/** Longest first; the last one is the day itself. */
function stretchesAround(day: number): Stretch[] {
  const date = new Date(day * DAY);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const decade = year - (year % 10);
  return [
    { token: `e${decade}`, first: firstOf(decade, 0), end: firstOf(decade + 10, 0) },
    { token: `y${year}`, first: firstOf(year, 0), end: firstOf(year + 1, 0) },
    { token: `m${year * 12 + month}`, first: firstOf(year, month), end: firstOf(year, month + 1) },
    { token: `d${day}`, first: day, end: day + 1 },
  ];
}

function firstOf(year: number, month: number): number {
  return Date.UTC(year, month, 1) / DAY;
}
