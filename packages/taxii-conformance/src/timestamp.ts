// Timestamps of TAXII 2.1 §2 and STIX 2.1: their form, and their order.

const TAXII_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const UTC_FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/;

/** §2: RFC 3339 in UTC with exactly six fraction digits. */
export function isTaxiiTimestamp(value: unknown): value is string {
  return typeof value === 'string' && TAXII_FORM.test(value) && !Number.isNaN(Date.parse(value));
}

export function isUtcTimestamp(value: unknown): value is string {
  return typeof value === 'string' && UTC_FORM.test(value) && !Number.isNaN(Date.parse(value));
}

/** RFC 3339 in UTC with at least three fraction digits, as STIX 2.1 §3.2 wants `created` and `modified`. */
export function hasMilliseconds(value: unknown): boolean {
  return isUtcTimestamp(value) && (UTC_FORM.exec(value)?.[2]?.length ?? 0) >= 3;
}

/**
 * A text that sorts as the instant does, however many fraction digits it was written with. Whatever is not a timestamp
 * in UTC stays as it is.
 */
export function sortable(timestamp: string): string {
  const [, seconds, fraction = ''] = UTC_FORM.exec(timestamp) ?? [];
  return seconds === undefined ? timestamp : `${seconds}.${fraction.padEnd(9, '0')}`;
}
