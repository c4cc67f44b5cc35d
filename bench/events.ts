// Synthetic sensor events in the service's own JSON-lines format.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { seededRandom } from './random.ts';

const PROTOCOLS = ['MODBUS', 'DNP3', 'BACNET', 'S7', 'OPC_UA', 'SSH', 'HTTP', 'FTP', 'TELNET', 'SNMP'];
const MODBUS_FUNCTIONS = ['1', '3', '5', '6', '15', '16', '17', '43'];
const SEVERITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH'];
const CATEGORIES = ['SCANNER', 'BRUTE_FORCE', 'EXPLOIT', 'BOTNET', 'MALWARE'];
const DAY_MS = 86_400_000;

export interface EventFile {
  readonly indicators: number;
  readonly events: number;
}

/**
 * Writes events about `indicators` distinct values to a file.
 * @param repeats average number of events per value; with 5, 20 % of the events have a new value.
 */
export async function writeEvents(
  path: string,
  indicators: number,
  repeats: number,
  now: number,
): Promise<EventFile> {
  const random = seededRandom(1);
  const out = createWriteStream(path);
  const events = indicators * repeats;
  let known = 0;
  for (let index = 0; index < events; index++) {
    const isNew = index % repeats === 0;
    const value = isNew ? known++ : Math.floor(random() * known);
    if (!out.write(`${JSON.stringify(event(index, value, random, now))}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return { indicators, events };
}

function event(index: number, value: number, random: () => number, now: number): Record<string, unknown> {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)];
  const protocol = pick(PROTOCOLS);
  const isIcs = PROTOCOLS.indexOf(protocol ?? '') < 5;
  return {
    eventId: `bench-${index}`,
    sensorId: `sensor-${value % 40}`,
    sensorType: isIcs ? 'SENSOR_TYPE_ICS' : 'SENSOR_TYPE_NETWORK',
    protocol: `PROTOCOL_${protocol}`,
    ...observable(value),
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
function observable(value: number): Record<string, string> {
  const kind = value % 8;
  if (kind < 5) {
    const address = (0x2d000000 + value * 7) >>> 0;
    const octets = [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255];
    return { indicatorType: 'INDICATOR_TYPE_IPV4', value: octets.join('.') };
  }
  if (kind === 5)
    return { indicatorType: 'INDICATOR_TYPE_DOMAIN', value: `host-${value.toString(36)}.example.net` };
  if (kind === 6)
    return { indicatorType: 'INDICATOR_TYPE_URL', value: `http://h${value % 999}.example.org/x/${value}` };
  return { indicatorType: 'INDICATOR_TYPE_FILE_HASH_SHA256', value: value.toString(16).padStart(64, '0') };
}
