// google.protobuf.Timestamp in its JSON form: RFC 3339, nanoseconds, years 0001 to 9999.

import { type Instant, SECOND, toRfc3339 } from '../domain/instant.ts';

/** The members of a Timestamp message. `nanos` counts forward, also before 1970. */
export interface TimestampParts {
  readonly seconds: bigint;
  readonly nanos: number;
}

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;
const YEAR_1 = -62_135_596_800;
const YEAR_10000 = 253_402_300_800;
/** The calendar repeats after 400 years; Date.UTC takes years below 100 for the twentieth century. */
const CYCLE_YEARS = 400;
const CYCLE_SECONDS = 12_622_780_800;

/** Undefined for anything that is not a real instant: 30 February, 24:00, a leap second, a missing offset. */
export function parseTimestamp(text: string): TimestampParts | undefined {
  const parts = RFC3339.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = parts.slice(7);
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) {
    return undefined;
  }
  const date = new Date(Date.UTC(year + CYCLE_YEARS, month - 1, day, hour, minute, second));
  // A day or month that does not exist rolls over into another one.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60;
  const seconds = date.getTime() / SECOND - CYCLE_SECONDS - (sign === '-' ? -offset : offset);
  if (seconds < YEAR_1 || seconds >= YEAR_10000) return undefined;
  return { seconds: BigInt(seconds), nanos: Number(fraction.padEnd(9, '0')) };
}

/** The millisecond an instant lies in. */
export function floorToInstant({ seconds, nanos }: TimestampParts): Instant {
  return Number(seconds) * SECOND + Math.floor(nanos / 1_000_000);
}

/**
 * The first millisecond not before an instant. As either bound of a half-open window over whole milliseconds it holds
 * exactly what the finer instant would hold.
 */
export function ceilToInstant({ seconds, nanos }: TimestampParts): Instant {
  return Number(seconds) * SECOND + Math.ceil(nanos / 1_000_000);
}

/** UTC with `Z` and 0, 3, 6 or 9 fraction digits, the fewest that are exact. */
export function formatTimestamp({ seconds, nanos }: TimestampParts): string {
  const base = formatInstant(Number(seconds) * SECOND);
  if (nanos === 0) return base;
  const digits = String(nanos).padStart(9, '0');
  const fraction = digits.endsWith('000000')
    ? digits.slice(0, 3)
    : digits.endsWith('000')
      ? digits.slice(0, 6)
      : digits;
  return `${base.slice(0, -1)}.${fraction}Z`;
}

/** The same for whole milliseconds. */
export function formatInstant(instant: Instant): string {
  const text = toRfc3339(instant);
  return instant % SECOND === 0 ? text.replace('.000Z', 'Z') : text;
}
