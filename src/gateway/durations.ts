// Spans and ends of validity as people write them: `90d`, `12h`, `30m`, `60s`, or an RFC 3339 instant.

import { invalidArgument } from '../domain/errors.ts';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../domain/instant.ts';
import { parseTimestamp, type TimestampForm, toInstant } from '../domain/timestamp.ts';

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const DURATION = /^(\d{1,9})([smhd])$/;
const EXPIRY_FORM: TimestampForm = { lowerCase: true };
/** The last instant RFC 3339 can write. */
export const LAST_INSTANT: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds of `90d`, `12h`, `30m` or `60s`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text.trim().toLowerCase()) ?? [];
  const length = unit === undefined ? undefined : UNITS[unit];
  return length === undefined ? undefined : Number(amount) * length;
}

/**
 * The instant at which something ends: a duration from `now`, or an RFC 3339 instant, cut to milliseconds.
 * @throws ServiceError `invalid_argument` when it is neither, not after `now`, or after the year 9999.
 */
export function parseExpiry(text: string, now: Instant, field = 'expires'): Instant {
  const duration = parseDuration(text);
  const instant = duration === undefined ? parseExpiryInstant(text.trim()) : now + duration;
  if (instant === undefined) {
    const description = 'not a duration such as 90d, 12h, 30m or 60s, and not an RFC 3339 instant';
    throw invalidArgument([{ field, description }]);
  }
  if (instant <= now) throw invalidArgument([{ field, description: 'not in the future' }]);
  if (instant > LAST_INSTANT) throw invalidArgument([{ field, description: 'after the year 9999' }]);
  return instant;
}

function parseExpiryInstant(text: string): Instant | undefined {
  const timestamp = parseTimestamp(text, EXPIRY_FORM);
  return timestamp === undefined ? undefined : toInstant(timestamp);
}
