// Tokens for hours, days, months, years and decades. The search index holds an instant under five of them, so that a few
// tokens cover any time window.

import type { TimeWindow } from '../../../domain/filter.ts';
import { DAY, HOUR, type Instant } from '../../../domain/instant.ts';

/** An instant outside these fifty years gets the tokens of the first or last hour. The row decides in the end. */
const FIRST_HOUR = Date.UTC(2000, 0, 1) / HOUR;
const LAST_HOUR = Date.UTC(2050, 0, 1) / HOUR - 1;
const HOURS_A_DAY = DAY / HOUR;

interface Stretch {
  readonly token: string;
  /** Hours since 1970: the first hour inside, and the first hour after. */
  readonly first: number;
  readonly end: number;
}

export function calendarTokens(instant: Instant): readonly string[] {
  const hour = calendarHour(instant);
  let tokens = knownHours.get(hour);
  if (tokens === undefined) {
    tokens = stretchesAround(hour).map(({ token }) => token);
    if (knownHours.size >= KNOWN_HOURS_LIMIT) knownHours.clear();
    knownHours.set(hour, tokens);
  }
  return tokens;
}

/** A cache: most sightings are of the last weeks. */
const knownHours = new Map<number, readonly string[]>();
const KNOWN_HOURS_LIMIT = 5_000;

/** Tokens that cover the window. They may cover more at its edges, so the row has to be checked. */
export function coverWindow({ start, end }: TimeWindow): string[] {
  const cover: string[] = [];
  let hour = start === undefined ? FIRST_HOUR : calendarHour(start);
  // An empty window is covered by one hour.
  const lastHour = Math.max(hour, end === undefined ? LAST_HOUR : calendarHour(end - 1));
  while (hour <= lastHour) {
    const longest = stretchesAround(hour).find(
      (stretch) => stretch.first === hour && stretch.end - 1 <= lastHour,
    );
    if (longest === undefined) break;
    cover.push(longest.token);
    hour = longest.end;
  }
  return cover;
}

/** Tokens of instants that are all in the window. */
export function hoursInside({ start, end }: TimeWindow): string[] {
  // The first and the last hour have the tokens of what is outside the fifty years.
  const first = start === undefined ? undefined : Math.max(Math.ceil(start / HOUR), FIRST_HOUR + 1);
  const after = end === undefined ? undefined : Math.min(Math.floor(end / HOUR), LAST_HOUR);
  if ((first ?? FIRST_HOUR) >= (after ?? LAST_HOUR + 1)) return [];
  return coverWindow({
    ...(first === undefined ? {} : { start: first * HOUR }),
    ...(after === undefined ? {} : { end: after * HOUR }),
  });
}

function calendarHour(instant: Instant): number {
  return Math.min(Math.max(Math.floor(instant / HOUR), FIRST_HOUR), LAST_HOUR);
}

/** Longest first; the last one is the hour itself. */
function stretchesAround(hour: number): Stretch[] {
  const date = new Date(hour * HOUR);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const decade = year - (year % 10);
  const day = Math.floor(hour / HOURS_A_DAY);
  return [
    { token: `e${decade}`, first: firstOf(decade, 0), end: firstOf(decade + 10, 0) },
    { token: `y${year}`, first: firstOf(year, 0), end: firstOf(year + 1, 0) },
    { token: `m${year * 12 + month}`, first: firstOf(year, month), end: firstOf(year, month + 1) },
    { token: `d${day}`, first: day * HOURS_A_DAY, end: (day + 1) * HOURS_A_DAY },
    { token: `h${hour}`, first: hour, end: hour + 1 },
  ];
}

function firstOf(year: number, month: number): number {
  return Date.UTC(year, month, 1) / HOUR;
}
