// Which texts of an event are kept as evidence. Passwords never are.

import type { SensorEvent } from '../indicator/sensor-event.ts';
import { type EvidenceKey, isPlaceholder } from './evidence-key.ts';
import type { Entry } from './tally.ts';

/** Characters of a value that are kept. */
const VALUE_CHARACTERS = 400;

/**
 * Known keys that say nothing more about what was seen: they only count, hold what may be a password, or name what
 * belongs together.
 */
const NOT_KEPT: ReadonlySet<string> = new Set<EvidenceKey>([
  'connection',
  'login.tries',
  'http.body',
  'peer.address',
  'session.id',
]);

/** A key that is unknown to the service and sounds like a secret. */
const SECRET_KEY = /pass(?:word|wd|phrase|code)?s?$|passw|pwd|secret|credential|token/i;
/** A known key that sounds like one and holds none. */
const HARMLESS: ReadonlySet<string> = new Set<EvidenceKey>(['login.default_credentials']);

/** The sensor is evidence like any other. */
const SENSOR = 'sensor.id';

/** The distinct entries of an event. A key that the service does not know is kept as well. */
export function keptValues({ sensorId, value: own, evidence }: SensorEvent): readonly Entry[] {
  const entries: Entry[] = sensorId === '' ? [] : [{ key: SENSOR, value: shortened(sensorId) }];
  for (const key of Object.keys(evidence)) {
    const text = evidence[key];
    if (typeof text !== 'string' || text === own || isPlaceholder(text) || !isKept(key)) continue;
    if (key !== SENSOR) entries.push({ key, value: shortened(withoutPasswords(text)) });
  }
  return entries;
}

function isKept(key: string): boolean {
  return !NOT_KEPT.has(key) && !soundsSecret(key);
}

export function soundsSecret(key: string): boolean {
  return SECRET_KEY.test(key) && !HARMLESS.has(key);
}

/**
 * Parameters of a query or a form, and the password of a URL, which ends at the last at-sign before the host. Linear: one
 * pattern is bounded, and no two matches of the other begin in the same text between slashes.
 */
const PARAMETER = /((?:^|[?&;])[\w.[\]-]{0,32}(?:pass|pwd|secret|token)[\w.[\]-]{0,32}=)[^&;#\s]+/gi;
const URL_PASSWORD = /(:\/\/[^/?#\s:@]*:)[^/?#\s]+@/g;

function withoutPasswords(text: string): string {
  return text.replace(PARAMETER, '$1…').replace(URL_PASSWORD, '$1…@');
}

/** A longer value is cut and ends with an ellipsis, so that its length tells that it was cut. */
function shortened(text: string): string {
  if (text.length <= VALUE_CHARACTERS) return text;
  return `${text.slice(0, VALUE_CHARACTERS).toWellFormed()}…`;
}

/** Whether a kept value is only the beginning of what was seen. */
export function isCut(value: string): boolean {
  return value.length > VALUE_CHARACTERS;
}
