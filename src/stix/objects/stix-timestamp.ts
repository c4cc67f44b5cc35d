// Timestamps of STIX objects (STIX 2.1 §2.13), read strictly: objects are passed on, and every reader must understand them.

import type { Instant } from '../../domain/instant.ts';
import { parseTimestamp, type TimestampForm, toInstant, YEAR_10000 } from '../../domain/timestamp.ts';

export interface StixTime {
  /** Rounded down to the millisecond. */
  readonly millis: Instant;
  /** The time with all its digits. Equal for equal times, and in the order of time when compared as text. */
  readonly exact: string;
}

const STIX_FORM: TimestampForm = { zone: 'utc', leapSecond: true };
const SECONDS_LENGTH = '2026-01-31T12:00:00'.length;

/** Undefined unless `text` is RFC 3339 with capital `T` and `Z`, without an offset, and on a day that exists. */
export function parseStixTime(text: string): StixTime | undefined {
  const timestamp = parseTimestamp(text, STIX_FORM);
  if (timestamp === undefined || timestamp.seconds >= YEAR_10000) return undefined;
  const fraction = String(timestamp.nanos).padStart(9, '0').replace(/0+$/, '');
  return { millis: toInstant(timestamp), exact: `${text.slice(0, SECONDS_LENGTH)}.${fraction}` };
}
