// Form and order of timestamps (TAXII 2.1 §2, STIX 2.1).

const TAXII_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const UTC_FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/;

/** §2: RFC 3339 in UTC with exactly six fraction digits. */
export function isTaxiiTimestamp(value: unknown): value is string {
  return typeof value === 'string' && TAXII_FORM.test(value) && !Number.isNaN(Date.parse(value));
}

export function isUtcTimestamp(value: unknown): value is string {
  return typeof value === 'string' && UTC_FORM.test(value) && !Number.isNaN(Date.parse(value));
}

/** RFC 3339 in UTC with at least three fraction digits, the form of `created` and `modified` in STIX 2.1 §3.2. */
export function hasMilliseconds(value: unknown): boolean {
  return isUtcTimestamp(value) && (UTC_FORM.exec(value)?.[2]?.length ?? 0) >= 3;
}

/**
 * A text that sorts like the instant, whatever its number of fraction digits. Text that is not a UTC timestamp is returned
 * unchanged.
 */
export function sortable(timestamp: string): string {
  const [, seconds, fraction = ''] = UTC_FORM.exec(timestamp) ?? [];
  return seconds === undefined ? timestamp : `${seconds}.${fraction.padEnd(9, '0')}`;
}
