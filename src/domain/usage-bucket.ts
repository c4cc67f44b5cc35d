// Buckets of time that use is summed up in: whole hours, days and calendar months of UTC, half-open.

import type { TimeWindow } from './filter.ts';
import { DAY, HOUR, type Instant } from './instant.ts';

/** The index of a name is its Protobuf number, as in vocabulary.ts. */
export const USAGE_BUCKETS = ['UNSPECIFIED', 'HOUR', 'DAY', 'MONTH'] as const;
export type UsageBucket = Exclude<(typeof USAGE_BUCKETS)[number], 'UNSPECIFIED'>;

/** The start of the bucket that an instant lies in. */
export function bucketStart(bucket: UsageBucket, instant: Instant): Instant {
  if (bucket === 'MONTH') return monthStart(instant, 0);
  const length = bucket === 'HOUR' ? HOUR : DAY;
  return Math.floor(instant / length) * length;
}

/** The end of the bucket that an instant lies in, which is the start of the next one. */
export function bucketEnd(bucket: UsageBucket, instant: Instant): Instant {
  if (bucket === 'MONTH') return monthStart(instant, 1);
  return bucketStart(bucket, instant) + (bucket === 'HOUR' ? HOUR : DAY);
}

/** The window moved outwards to the borders of buckets, so that it holds whole ones only. An empty one stays empty. */
export function wholeBuckets(bucket: UsageBucket, { start, end }: TimeWindow): TimeWindow {
  if (start !== undefined && end !== undefined && start >= end) return { start, end: start };
  return {
    ...(start === undefined ? {} : { start: bucketStart(bucket, start) }),
    // The last millisecond inside decides: an end on a border touches nothing behind it.
    ...(end === undefined ? {} : { end: bucketEnd(bucket, end - 1) }),
  };
}

/** Not by Date.UTC, which takes the years below 100 for the twentieth century. */
function monthStart(instant: Instant, monthsLater: number): Instant {
  const date = new Date(instant);
  date.setUTCHours(0, 0, 0, 0);
  return date.setUTCMonth(date.getUTCMonth() + monthsLater, 1);
}
