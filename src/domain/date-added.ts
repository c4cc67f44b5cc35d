// `date_added` of feed versions: whole microseconds, their form in TAXII 2.1 §2, and the rule that assigns them (§3.4).

import { type Instant, SECOND } from './instant.ts';
import { parseTimestamp, type TimestampForm, YEAR_10000 } from './timestamp.ts';

/** Whole microseconds since 1970-01-01T00:00:00Z. */
export type Micros = number;

const MICROS_PER_MILLI = 1_000;
const MICROS_PER_SECOND = MICROS_PER_MILLI * SECOND;

/** The departures from RFC 3339 that clients are known to send. */
const CLIENT_FORM: TimestampForm = { lowerCase: true, blankForT: true, blankForPlus: true, leapSecond: true };

/** The second at which the year 0000 begins. */
const YEAR_0 = -62_167_219_200;

/** How far the feed may run ahead of the clock to keep versions a whole millisecond apart. */
const LEAD_MS = 1_000;

/** At most 100 versions in a millisecond. A client that cuts dates to milliseconds therefore still makes progress. */
const STEP_MICROS = 10;

/**
 * Microseconds of a timestamp that a client sent; undefined when it is not a timestamp.
 *
 * Digits after the sixth are cut off and never rounded. All versions lie on whole microseconds, so "later than t"
 * selects the same versions with or without those digits. Before the year 1684 and after 2255 a number cannot hold
 * microseconds, and the result is in whole seconds.
 */
export function parseMicros(text: string): Micros | undefined {
  const timestamp = parseTimestamp(text, CLIENT_FORM);
  if (timestamp === undefined) return undefined;
  if (timestamp.seconds < YEAR_0 || timestamp.seconds >= YEAR_10000) return undefined;
  const seconds = timestamp.seconds * MICROS_PER_SECOND;
  const micros = seconds + Math.floor(timestamp.nanos / 1_000);
  return Number.isSafeInteger(micros) ? micros : seconds;
}

/** The one form of TAXII 2.1 §2: UTC with exactly six fraction digits. */
export function formatMicros(micros: Micros): string {
  const millis = Math.floor(micros / MICROS_PER_MILLI);
  const rest = Math.floor(micros - millis * MICROS_PER_MILLI);
  return `${new Date(millis).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/**
 * The time at which the next version is added: later than `last`, never before the version's own `modified`, and on
 * whole milliseconds while the rate allows it. When the feed runs ahead of the clock, a client that uses its own clock
 * may receive an object twice. If the feed ran behind, the client could miss one.
 */
export function nextDateAdded(last: Micros | undefined, modified: Instant, now: Instant): Micros {
  const floor = Math.max(now, modified) * MICROS_PER_MILLI;
  if (last === undefined || last < floor) return floor;
  const nextMillisecond = (Math.floor(last / MICROS_PER_MILLI) + 1) * MICROS_PER_MILLI;
  const latest = (Math.max(now, modified) + LEAD_MS) * MICROS_PER_MILLI;
  return nextMillisecond <= latest ? nextMillisecond : last + STEP_MICROS;
}
