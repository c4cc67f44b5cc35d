// The time of a record: RFC 3339, or the naive local forms loggers write, which mean UTC.

import type { Instant } from '../domain/instant.ts';

const RECORD_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * `2019-04-22 20:26:35,839` (Python logging), `2026-05-17T16:49:28.682339` (isoformat), RFC 3339. Without a zone it
 * is UTC. Cut to milliseconds. Undefined when it is no such time, or when a zone is demanded and missing.
 */
export function recordTime(text: string, zone: 'required' | 'optional' = 'optional'): Instant | undefined {
  const parts = RECORD_TIME.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', offset] = parts;
  if (offset === undefined && zone === 'required') return undefined;
  const clock = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const instant = Date.parse(`${clock}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date.parse takes 24:00 and rolls 31 June over to July; a time that does not read back is no time.
  if (Number.isNaN(instant) || year === '0000' || !new Date(instant).toISOString().startsWith(clock))
    return undefined;
  const shift = offsetMinutes(offset ?? 'Z');
  return shift === undefined ? undefined : instant - shift * 60_000;
}

function offsetMinutes(offset: string): number | undefined {
  if (offset.length === 1) return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (60 * hours + minutes);
}
