// Tokens for days, months, years and decades. The search index holds an instant under four of them, so that a few tokens
// cover any time window.

import type { TimeWindow } from '../../../domain/filter.ts';
import { DAY, type Instant } from '../../../domain/instant.ts';

/** An instant outside these fifty years gets the token of the first or last day. The row decides in the end. */
const FIRST_DAY = Date.UTC(2000, 0, 1) / DAY;
const LAST_DAY = Date.UTC(2049, 11, 31) / DAY;

interface Stretch {
  readonly token: string;
  /** Days since 1970: the first day inside, and the first day after. */
  readonly first: number;
  readonly end: number;
}

export function calendarTokens(instant: Instant): string[] {
  return stretchesAround(calendarDay(instant)).map(({ token }) => token);
}

/** Tokens that cover the window. They may cover more at its edges, so the row has to be checked. */
export function coverWindow({ start, end }: TimeWindow): string[] {
  const cover: string[] = [];
  let day = start === undefined ? FIRST_DAY : calendarDay(start);
  // An empty window is covered by one day.
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

/** Tokens of instants that are all in the window. */
export function daysInside({ start, end }: TimeWindow): string[] {
  // The first and the last day have the tokens of what is outside the fifty years.
  const first = start === undefined ? undefined : Math.max(Math.ceil(start / DAY), FIRST_DAY + 1);
  const after = end === undefined ? undefined : Math.min(Math.floor(end / DAY), LAST_DAY);
  if ((first ?? FIRST_DAY) >= (after ?? LAST_DAY + 1)) return [];
  return coverWindow({
    ...(first === undefined ? {} : { start: first * DAY }),
    ...(after === undefined ? {} : { end: after * DAY }),
  });
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
