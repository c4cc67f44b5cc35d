// Timestamps in STIX objects (STIX 2.1 §2.13), strictly: what is written on into the feed has to be read by everybody.

import { parseTimestamp } from '../../domain/timestamp.ts';

export interface StixTime {
  /** Whole milliseconds since the epoch, rounded down. */
  readonly millis: number;
  /** All of its precision: equal for equal instants, and ordered as they are. */
  readonly exact: string;
}

/** RFC 3339 with `T` and `Z` in capitals and no offset. */
const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/** Undefined for anything else, and for a day that does not exist. */
export function parseStixTime(text: string): StixTime | undefined {
  const parts = FORM.exec(text);
  const micros = parts === null ? undefined : parseTimestamp(text);
  if (parts === null || micros === undefined) return undefined;
  const [, seconds = '', fraction = ''] = parts;
  return { millis: Math.floor(micros / 1_000), exact: `${seconds}.${fraction.replace(/0+$/, '')}` };
}
