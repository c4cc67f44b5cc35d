// Timestamps of TAXII 2.1 §2 as whole microseconds since the epoch, the unit of the feed's `date_added`.

/** Whole microseconds since 1970-01-01T00:00:00Z. */
export type Micros = number;

/**
 * RFC 3339, with any number of fraction digits up to nine, `Z` or an offset. The sign of a `+` offset may have become
 * a blank, as it does in a query string that was not percent-encoded. Every part has a fixed length: matching is linear.
 */
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+\- ])(\d\d):(\d\d))$/;

const MICROS_PER_MILLI = 1_000;
const MICROS_PER_SECOND = 1_000_000;
const MILLIS_PER_MINUTE = 60_000;

/** 0000-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z: what four digits of a year can say. */
const EARLIEST = -62_167_219_200_000;
const LATEST = 253_402_300_799_999;

/**
 * Microseconds of a timestamp in any form that clients are known to send, or undefined when it is none.
 *
 * Digits beyond the sixth are cut off, never rounded: entries lie on whole microseconds, so "later than t" and "later
 * than t without its sub-microsecond part" hold for the same entries. Farther out than a number can tell microseconds,
 * before the year 1684 and after 2255, whole seconds are all that is kept.
 */
export function parseTimestamp(text: string): Micros | undefined {
  const parts = RFC_3339.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = parts;

  const local = utcMillis(
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  if (local === undefined) return undefined;
  let millis = local;
  if (sign !== undefined) {
    if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
    const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * MILLIS_PER_MINUTE;
    millis += sign === '-' ? offset : -offset;
  }
  if (millis < EARLIEST || millis > LATEST) return undefined;
  const seconds = (millis / 1_000) * MICROS_PER_SECOND;
  const micros = seconds + Number(fraction.slice(0, 6).padEnd(6, '0'));
  return Number.isSafeInteger(micros) ? micros : seconds;
}

/** The one form of TAXII 2.1 §2: UTC with exactly six fraction digits. */
export function formatTimestamp(micros: Micros): string {
  const millis = Math.floor(micros / MICROS_PER_MILLI);
  const rest = Math.floor(micros - millis * MICROS_PER_MILLI);
  return `${new Date(millis).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** Undefined for a day or a time of day that does not exist. RFC 3339 allows the 60th second, which is the next one. */
function utcMillis(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  // Unlike Date.UTC, this takes the years 0 to 99 as they are.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second);
}
