// The use of the account as rows of daily units: the credentials that use most, and the others together.

import { type AccountUse, type CredentialUse, type DayOfUse, unitsOf } from '../../api/usage.ts';
import { USAGE } from '../../text/usage.ts';

export interface Series {
  readonly name: string;
  /** Units by day, the oldest first. */
  readonly units: readonly number[];
}

const DAY_MS = 86_400_000;
/** As many as colours can be told apart. */
const MOST = 5;

/** @param end end of the last day, in milliseconds. */
export function seriesOf(
  { credentials, days: all }: AccountUse,
  end: number,
  days: number,
): readonly Series[] {
  const ranked = credentials.toSorted((a, b) => sumOf(b.days, unitsOf) - sumOf(a.days, unitsOf));
  const shown = ranked.slice(0, ranked.length > MOST + 1 ? MOST : MOST + 1);
  const series = shown.map((credential) => ({
    name: nameOf(credential),
    units: dailyUnits(credential.days, end, days),
  }));
  if (shown.length === ranked.length) return series;
  const rest = dailyUnits(all, end, days).map((sum, day) =>
    series.reduce((left, { units }) => left - (units[day] ?? 0), sum),
  );
  return [...series, { name: USAGE.others(ranked.length - shown.length), units: rest }];
}

/** The name of a key, or how a person is known. */
export function nameOf({ id, name }: CredentialUse): string {
  if (!id.startsWith('person|')) return name ?? id;
  return `${name ?? id.slice(id.indexOf('|') + 1)} ${USAGE.person}`;
}

export function sumOf(days: readonly DayOfUse[], count: (day: DayOfUse) => number): number {
  return days.reduce((sum, day) => sum + count(day), 0);
}

/** Place of a day in a row of `days` that ends at `end`. */
export function dayIndex(start: string, end: number, days: number): number {
  return days - Math.round((end - Date.parse(start)) / DAY_MS);
}

function dailyUnits(of: readonly DayOfUse[], end: number, days: number): number[] {
  const units = Array.from({ length: days }, () => 0);
  for (const day of of) {
    const index = dayIndex(day.start, end, days);
    if (index >= 0 && index < days) units[index] = unitsOf(day);
  }
  return units;
}
