// google.protobuf.Timestamp in its JSON form: RFC 3339, nanoseconds, years 0001 to 9999.

import { type Instant, SECOND, toRfc3339 } from '../domain/instant.ts';
import { parseTimestamp, type TimestampForm, YEAR_10000 } from '../domain/timestamp.ts';

/** The members of a Timestamp message. `nanos` counts forward, also before 1970. */
export interface TimestampParts {
  readonly seconds: bigint;
  readonly nanos: number;
}

const STRICT: TimestampForm = {};
const YEAR_1 = -62_135_596_800;

/** Undefined unless `text` is a real instant. Refused are 30 February, 24:00, a leap second and a missing zone. */
export function parseProtoTimestamp(text: string): TimestampParts | undefined {
  const timestamp = parseTimestamp(text, STRICT);
  if (timestamp === undefined) return undefined;
  const { seconds, nanos } = timestamp;
  return seconds < YEAR_1 || seconds >= YEAR_10000 ? undefined : { seconds: BigInt(seconds), nanos };
}

/** The millisecond in which the timestamp lies. */
export function floorToInstant({ seconds, nanos }: TimestampParts): Instant {
  return Number(seconds) * SECOND + Math.floor(nanos / 1_000_000);
}

/**
 * The first millisecond that is not before the timestamp. A half-open window over whole milliseconds selects the same
 * instants with this bound as with the finer one.
 */
export function ceilToInstant({ seconds, nanos }: TimestampParts): Instant {
  return Number(seconds) * SECOND + Math.ceil(nanos / 1_000_000);
}

/** UTC with `Z` and 0, 3, 6 or 9 fraction digits, the fewest that are exact. */
export function formatProtoTimestamp({ seconds, nanos }: TimestampParts): string {
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

/** Like `formatProtoTimestamp`, for whole milliseconds. */
export function formatInstant(instant: Instant): string {
  const text = toRfc3339(instant);
  return instant % SECOND === 0 ? text.replace('.000Z', 'Z') : text;
}
