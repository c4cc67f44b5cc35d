// The time of a record: RFC 3339, or the forms without a zone that loggers write.

import type { Instant } from '../domain/instant.ts';
import { parseTimestamp, type TimestampForm, toInstant } from '../domain/timestamp.ts';

const LOGGER_FORM: TimestampForm = {
  lowerCase: true,
  blankForT: true,
  comma: true,
  offsetWithoutColon: true,
  zone: 'optional',
};

/**
 * `2019-04-22 20:26:35,839` (Python logging), `2026-05-17T16:49:28.682339` (isoformat) or RFC 3339, cut to milliseconds.
 * Without a zone it is UTC. Undefined when it is not such a time.
 */
export function recordTime(text: string): Instant | undefined {
  const timestamp = parseTimestamp(text, LOGGER_FORM);
  // No record is from the year 0000.
  return timestamp === undefined || text.startsWith('0000') ? undefined : toInstant(timestamp);
}
