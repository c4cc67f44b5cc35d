// Times as people read them.

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });

/** Such as `3h ago` or `in 5d`. @param now milliseconds. */
export function relativeTime(instant: string, now: number): string {
  const seconds = (Date.parse(instant) - now) / 1_000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 30 ? 'in less than 1min' : 'just now';
}

/** Such as `2026-11-22 19:50:03 UTC`: sensors and colleagues are in many time zones. */
export function absoluteTime(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** @param validUntil RFC 3339; none for ever. @param now milliseconds. */
export function isExpired(validUntil: string | undefined, now: number): boolean {
  return validUntil !== undefined && Date.parse(validUntil) <= now;
}
