// Points in time. The domain never asks the machine for the time: whoever needs it is handed a Clock.

/** Milliseconds since 1970-01-01T00:00:00Z, a whole number. */
export type Instant = number;

export type Clock = () => Instant;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Whole UTC days since 1970-01-01. */
export function dayOf(instant: Instant): number {
  return Math.floor(instant / DAY);
}

/** RFC 3339 in UTC with exactly three fraction digits. */
export function toRfc3339(instant: Instant): string {
  return new Date(instant).toISOString();
}
