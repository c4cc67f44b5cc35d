// Synthetic sensor events in the service's own JSON-lines format.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { IndicatorType } from '../src/domain/vocabulary.ts';
import { seededRandom } from './random.ts';

const PROTOCOLS = ['MODBUS', 'DNP3', 'BACNET', 'S7', 'OPC_UA', 'SSH', 'HTTP', 'FTP', 'TELNET', 'SNMP'];
const MODBUS_FUNCTIONS = ['1', '3', '5', '6', '15', '16', '17', '43'];
const SEVERITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH'];
const CATEGORIES = ['SCANNER', 'BRUTE_FORCE', 'EXPLOIT', 'BOTNET', 'MALWARE'];
const DAY_MS = 86_400_000;

/** Average number of events about one value: 20 % of the events have a new value. */
export const EVENTS_PER_INDICATOR = 5;

export interface EventRange {
  /** The values 0 to `known` have been reported before. */
  readonly known: number;
  /** Number of the first new value. */
  readonly begin: number;
  readonly newValues: number;
  /** Average number of events about each new value. */
  readonly repeats: number;
  /** Distinguishes the ids of these events from those of other ranges. */
  readonly name: string;
  readonly now: number;
}

export function* events({
  known,
  begin,
  newValues,
  repeats,
  name,
  now,
}: EventRange): Generator<Record<string, unknown>> {
  const random = seededRandom(begin + 1);
  const valueAt = (place: number) => (place < known ? place : begin + place - known);
  let reported = known;
  for (let index = 0; index < newValues * repeats; index++) {
    const isNew = index % repeats === 0;
    const value = valueAt(isNew ? reported++ : Math.floor(random() * reported));
    yield event(`${name}-${index}`, value, random, now);
  }
}

/** Writes events about `indicators` new values to a file. @returns the number of events. */
export function writeEvents(path: string, indicators: number, repeats: number, now: number): Promise<number> {
  return writeRange(path, { known: 0, begin: 0, newValues: indicators, repeats, name: 'bench', now });
}

/** Writes the events to a file, one on each line. @returns their number. */
export async function writeRange(path: string, range: EventRange): Promise<number> {
  const out = createWriteStream(path);
  let count = 0;
  for (const one of events(range)) {
    count += 1;
    if (!out.write(`${JSON.stringify(one)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return count;
}

function event(eventId: string, value: number, random: () => number, now: number): Record<string, unknown> {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)];
  const { type, value: text } = observable(value);
  const protocol = pick(PROTOCOLS);
  const isIcs = PROTOCOLS.indexOf(protocol ?? '') < 5;
  return {
    eventId,
    sensorId: `sensor-${value % 40}`,
    sensorType: isIcs ? 'SENSOR_TYPE_ICS' : 'SENSOR_TYPE_NETWORK',
    protocol: `PROTOCOL_${protocol}`,
    indicatorType: `INDICATOR_TYPE_${type}`,
    value: text,
    observedAt: new Date(now - Math.floor(random() * 30 * DAY_MS)).toISOString(),
    source: { id: `source-${value % 25}`, name: `Source ${value % 25}`, reliability: 0.6 },
    categories: [`THREAT_CATEGORY_${pick(CATEGORIES)}`],
    severity: `SEVERITY_${pick(SEVERITIES)}`,
    tags: [`campaign-${value % 500}`, `site-${value % 17}`],
    tlp: value % 50 === 0 ? 'TLP_MARKING_RED' : 'TLP_MARKING_GREEN',
    evidence:
      protocol === 'MODBUS' ? { 'modbus.function_code': pick(MODBUS_FUNCTIONS) } : { connection: 'new' },
  };
}

/** Five of eight values are addresses, the others domains, URLs and hashes. Each value gives a different observable. */
export function observable(value: number): { readonly type: IndicatorType; readonly value: string } {
  const kind = value % 8;
  if (kind < 5) {
    const address = (0x2d000000 + value * 7) >>> 0;
    const octets = [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255];
    return { type: 'IPV4', value: octets.join('.') };
  }
  if (kind === 5) return { type: 'DOMAIN', value: `host-${value.toString(36)}.example.net` };
  if (kind === 6) return { type: 'URL', value: `http://h${value % 999}.example.org/x/${value}` };
  return { type: 'FILE_HASH_SHA256', value: value.toString(16).padStart(64, '0') };
}
