// Sensor events to send: made up, or read from a line of a Conpot log.

import type { SensorEvent } from '../../src/domain/indicator/sensor-event.ts';
import { conpotJson } from '../../src/sensors/conpot/json.ts';
import { readRecords } from '../../src/sensors/reader.ts';
import type { WireEvent } from './wire.ts';

const DAY_MS = 86_400_000;

/** Yesterday at noon UTC: some hours later is still the same day and in the past. */
const NOON_MS = (Math.floor(Date.now() / DAY_MS) - 1) * DAY_MS + DAY_MS / 2;

/** The instant this number of days before yesterday's noon, in the format of the service (no zero fraction). */
export function daysAgo(days: number): string {
  return new Date(NOON_MS - days * DAY_MS).toISOString().replace('.000Z', 'Z');
}

let made = 0;

/** A new event of one sensor, observed at noon. The default value is an address that no other event names. */
export function anEvent(members: Partial<WireEvent> = {}): WireEvent {
  made += 1;
  return {
    eventId: `event-${made}`,
    sensorId: 'plant-7',
    sensorType: 'SENSOR_TYPE_ICS',
    protocol: 'PROTOCOL_MODBUS',
    value: `2001:db8:7::${made.toString(16)}`,
    observedAt: daysAgo(0),
    evidence: { 'modbus.function_code': '5' },
    ...members,
  };
}

export function events(count: number, members: Partial<WireEvent> = {}): WireEvent[] {
  return Array.from({ length: count }, () => anEvent(members));
}

/** A line of a Conpot JSON log in which a peer writes a single coil over Modbus (function 5). */
export function conpotModbusLine(address: string, observedAt: Date): string {
  return JSON.stringify({
    // Conpot writes UTC without a zone, with six digits.
    timestamp: observedAt.toISOString().replace('Z', '000'),
    sensorid: 'pump-house',
    id: '2f1c7a54-5d0e-4b7b-9c1a-0d4f6b1e9a10',
    src_ip: address,
    src_port: 40_112,
    dst_ip: '203.0.113.20',
    dst_port: 502,
    public_ip: '203.0.113.20',
    data_type: 'modbus',
    request: '000100000006010500acff00',
    response: '0500acff00',
    event_type: null,
  });
}

/** The event in a line of a Conpot JSON log, as it is sent over HTTP. */
export async function eventOfConpotLine(line: string): Promise<WireEvent> {
  async function* bytes() {
    yield Buffer.from(`${line}\n`);
  }
  for await (const results of readRecords(bytes(), conpotJson, {})) {
    for (const result of results) {
      const [event] = result.kind === 'events' ? result.events : [];
      if (event !== undefined) return toWire(event);
    }
  }
  throw new Error(`no event in ${line}`);
}

function toWire(event: SensorEvent): WireEvent {
  return {
    eventId: event.eventId,
    sensorId: event.sensorId,
    sensorType: `SENSOR_TYPE_${event.sensorType}`,
    protocol: `PROTOCOL_${event.protocol}`,
    indicatorType: `INDICATOR_TYPE_${event.indicatorType}`,
    value: event.value,
    observedAt: new Date(event.observedAt).toISOString(),
    count: event.count.toString(),
    labels: event.labels,
    evidence: event.evidence,
  };
}
