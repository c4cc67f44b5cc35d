// The buckets in which usage is counted: hours, days and calendar months of UTC. A bucket includes its start, not its
// end.

import type { TimeWindow } from './filter.ts';
import { DAY, HOUR, type Instant } from './instant.ts';

/** The index of a name is its Protobuf number, as in vocabulary.ts. */
export const USAGE_BUCKETS = ['UNSPECIFIED', 'HOUR', 'DAY', 'MONTH'] as const;
export type UsageBucket = Exclude<(typeof USAGE_BUCKETS)[number], 'UNSPECIFIED'>;

/** The start of the bucket that contains the instant. */
export function bucketStart(bucket: UsageBucket, instant: Instant): Instant {
  if (bucket === 'MONTH') return monthStart(instant, 0);
  const length = bucket === 'HOUR' ? HOUR : DAY;
  return Math.floor(instant / length) * length;
}

/** The end of the bucket that contains the instant, which is the start of the next bucket. */
export function bucketEnd(bucket: UsageBucket, instant: Instant): Instant {
  if (bucket === 'MONTH') return monthStart(instant, 1);
  return bucketStart(bucket, instant) + (bucket === 'HOUR' ? HOUR : DAY);
}

/** The window widened to whole buckets. An empty window stays empty. */
export function wholeBuckets(bucket: UsageBucket, { start, end }: TimeWindow): TimeWindow {
  if (start !== undefined && end !== undefined && start >= end) return { start, end: start };
  return {
    ...(start === undefined ? {} : { start: bucketStart(bucket, start) }),
    // The last millisecond inside decides, so that an end on a border adds no bucket.
    ...(end === undefined ? {} : { end: bucketEnd(bucket, end - 1) }),
  };
}

/** Avoids Date.UTC, which reads the years 0 to 99 as 1900 to 1999. */
function monthStart(instant: Instant, monthsLater: number): Instant {
  const date = new Date(instant);
  date.setUTCHours(0, 0, 0, 0);
  return date.setUTCMonth(date.getUTCMonth() + monthsLater, 1);
}
