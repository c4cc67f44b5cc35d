// Spans and ends of validity as people write them: `90d`, `12h`, `30m`, `60s`, or an RFC 3339 instant.

import { invalidArgument } from '../domain/errors.ts';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../domain/instant.ts';

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const DURATION = /^(\d{1,9})([smhd])$/;
const RFC_3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;
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
  const instant = duration === undefined ? parseInstant(text.trim()) : now + duration;
  if (instant === undefined) {
    const description = 'not a duration such as 90d, 12h, 30m or 60s, and not an RFC 3339 instant';
    throw invalidArgument([{ field, description }]);
  }
  if (instant <= now) throw invalidArgument([{ field, description: 'not in the future' }]);
  if (instant > LAST_INSTANT) throw invalidArgument([{ field, description: 'after the year 9999' }]);
  return instant;
}

function parseInstant(text: string): Instant | undefined {
  const [, clock, fraction = '', sign, hours = '0', minutes = '0'] = RFC_3339.exec(text.toUpperCase()) ?? [];
  if (clock === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const instant = Date.parse(`${clock}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date.parse rolls 30 February over to March; a time that does not read back is no time.
  if (Number.isNaN(instant) || !new Date(instant).toISOString().startsWith(clock)) return undefined;
  const offset = Number(hours) * HOUR + Number(minutes) * MINUTE;
  return sign === '-' ? instant + offset : instant - offset;
}
