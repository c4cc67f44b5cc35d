// The one rule by which feed versions get their date_added (TAXII 2.1 §3.4: the order clients page by).

import type { Instant } from './instant.ts';

/** How far the feed may run ahead of the clock to keep versions a whole millisecond apart. */
const LEAD_MS = 1_000;

/** Hundred versions to the millisecond at most: a client that cuts dates to milliseconds still moves on. */
const STEP_US = 10;

/**
 * The microseconds at which the next version is added: later than `last`, never before the version's own `modified`,
 * on the millisecond grid while the rate allows. Running ahead of the clock can only repeat an object to a client
 * that sets its own time; running behind could lose one.
 */
export function nextDateAdded(last: number | undefined, modified: Instant, now: Instant): number {
  const floor = Math.max(now, modified) * 1_000;
  if (last === undefined || last < floor) return floor;
  const nextMillisecond = (Math.floor(last / 1_000) + 1) * 1_000;
  return nextMillisecond <= (Math.max(now, modified) + LEAD_MS) * 1_000 ? nextMillisecond : last + STEP_US;
}
