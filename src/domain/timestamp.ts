// The one RFC 3339 parser. Every kind of input states which departures from the strict form it accepts.

import { type Instant, SECOND } from './instant.ts';

export interface Timestamp {
  /** Whole seconds since 1970-01-01T00:00:00Z, negative before it. */
  readonly seconds: number;
  /** 0 to 999,999,999. Counts forward, also before 1970. */
  readonly nanos: number;
}

/**
 * Departures from the strict form `2026-01-31T12:00:00.123456789+01:00`: capital `T` and `Z`, a full stop before one to
 * nine fraction digits, a zone, and an offset with a colon.
 */
export interface TimestampForm {
  /** Accept `t` and `z`. */
  readonly lowerCase?: boolean;
  /** Accept a blank instead of `T`. */
  readonly blankForT?: boolean;
  /** Accept a blank instead of the `+` of an offset: a query string that was not percent-encoded. */
  readonly blankForPlus?: boolean;
  /** Accept a comma before the fraction, as Python's logging writes it. */
  readonly comma?: boolean;
  /** Accept `+0200`. */
  readonly offsetWithoutColon?: boolean;
  /** Accept the 60th second of any minute. It is read as the first second of the next one. */
  readonly leapSecond?: boolean;
  /** `required` is the default. Without a zone the time is UTC. `utc` accepts `Z` and no offset. */
  readonly zone?: 'required' | 'optional' | 'utc';
}

/** The second at which the year 10000 begins. RFC 3339 cannot express it or what follows. */
export const YEAR_10000 = 253_402_300_800;

/** Every form at once. Each part has a bounded length, so matching is linear. */
const ANY_FORM =
  /^(\d{4})-(\d\d)-(\d\d)([Tt ])(\d\d):(\d\d):(\d\d)(?:([.,])(\d{1,9}))?(?:([Zz])|([+\- ])(\d\d)(:?)(\d\d))?$/;

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * The calendar repeats every 400 years. The shift is needed because Date.UTC reads the years 0 to 99 as 1900 to 1999.
 */
const CYCLE_YEARS = 400;
const CYCLE_SECONDS = 12_622_780_800;

/**
 * The instant that `text` names, in the years 0000 to 9999 of its own zone. Undefined for other text, and for a day or
 * a time of day that does not exist.
 */
export function parseTimestamp(text: string, form: TimestampForm): Timestamp | undefined {
  const parts = ANY_FORM.exec(text);
  if (parts === null) return undefined;
  const [, , , , separator, , , , point, fraction, utc, sign, offsetHour, colon, offsetMinute] = parts;
  if (separator === 't' && !form.lowerCase) return undefined;
  if (separator === ' ' && !form.blankForT) return undefined;
  if (point === ',' && !form.comma) return undefined;
  if (utc === 'z' && !form.lowerCase) return undefined;

  let offset = 0;
  if (sign !== undefined) {
    if (form.zone === 'utc') return undefined;
    if (sign === ' ' && !form.blankForPlus) return undefined;
    if (colon === '' && !form.offsetWithoutColon) return undefined;
    if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
    offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -60 : 60);
  } else if (utc === undefined && form.zone !== 'optional') return undefined;

  const year = Number(parts[1]);
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  const hour = Number(parts[5]);
  const minute = Number(parts[6]);
  const second = Number(parts[7]);
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > (form.leapSecond ? 60 : 59)) return undefined;
  const local = Date.UTC(year + CYCLE_YEARS, month - 1, day, hour, minute, second) / SECOND - CYCLE_SECONDS;
  return { seconds: local - offset, nanos: fraction === undefined ? 0 : Number(fraction.padEnd(9, '0')) };
}

/** The millisecond in which the timestamp lies. */
export function toInstant({ seconds, nanos }: Timestamp): Instant {
  return seconds * SECOND + Math.floor(nanos / 1_000_000);
}

/** 0 for a month that does not exist. */
function daysInMonth(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (DAYS_IN_MONTH[month - 1] ?? 0) + (leap ? 1 : 0);
}
