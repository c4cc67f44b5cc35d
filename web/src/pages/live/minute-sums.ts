// Events by minute as series of a chart, and their sums as rows of a table.

import type { LiveFigures, LiveMinute } from '../../api/live.ts';
import { LIVE } from '../../text/live.ts';

export interface MinuteSum {
  readonly name: string;
  /** Of each minute of the hour, oldest first. */
  readonly values: readonly number[];
  readonly last5: number;
  readonly hour: number;
}

/** As many as there are colours. */
const MOST_SERIES = 6;
const MINUTES = 60;
const MINUTE_S = 60;

/** Starts of the minutes of the last hour in seconds; the last one has not ended. */
export function minutesOf({ at }: Pick<LiveFigures, 'at'>): readonly number[] {
  const last = Math.floor(Date.parse(at) / 1_000 / MINUTE_S) * MINUTE_S;
  return Array.from({ length: MINUTES }, (_, index) => last - (MINUTES - 1 - index) * MINUTE_S);
}

/**
 * The most frequent ones, and the others as one.
 * @param nameOf the name under which a count is summed.
 */
export function sumsBy(
  { at, minutes }: Pick<LiveFigures, 'at' | 'minutes'>,
  nameOf: (minute: LiveMinute) => string,
): readonly MinuteSum[] {
  const [first = 0] = minutesOf({ at });
  const byName = new Map<string, number[]>();
  for (const minute of minutes) {
    const index = (Date.parse(minute.start) / 1_000 - first) / MINUTE_S;
    if (index < 0 || index >= MINUTES) continue;
    const name = nameOf(minute);
    const values = byName.get(name) ?? Array.from({ length: MINUTES }, () => 0);
    values[index] = (values[index] ?? 0) + minute.events;
    byName.set(name, values);
  }
  const sums = [...byName]
    .map(([name, values]) => sumOf(name, values))
    .sort((one, other) => other.hour - one.hour || (one.name < other.name ? -1 : 1));
  if (sums.length <= MOST_SERIES) return sums;
  const others = sums.slice(MOST_SERIES - 1);
  const values = Array.from({ length: MINUTES }, (_, index) =>
    others.reduce((sum, one) => sum + (one.values[index] ?? 0), 0),
  );
  return [...sums.slice(0, MOST_SERIES - 1), sumOf(LIVE.others, values)];
}

function sumOf(name: string, values: readonly number[]): MinuteSum {
  const sum = (some: readonly number[]) => some.reduce((all, value) => all + value, 0);
  return { name, values, last5: sum(values.slice(-5)), hour: sum(values) };
}
