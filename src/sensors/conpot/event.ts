// The sensor event of one record of a Conpot log, JSON or text.

import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Evidence } from '../evidence.ts';
import type { OwnAddresses } from '../home-net.ts';
import { addressType } from '../observables.ts';
import { eventsOf, type RecordResult, refused } from '../reader.ts';
import { contentId } from '../sensor-record.ts';
import type { ConpotProtocol } from './protocol.ts';

/** Sensor id of records without one. */
export const CONPOT_SENSOR = 'conpot';

/** The peer connected. What it asked is not known. */
export const CONNECTION: Evidence = { connection: 'established' };

export interface ConpotObservation {
  /** Number of the first line of the record. */
  readonly line: number;
  /** The whole record, from which the event id is derived. */
  readonly record: string;
  readonly sensorId: string;
  readonly observedAt: Instant;
  readonly protocol: ConpotProtocol;
  readonly address: string;
  readonly evidence: Evidence;
}

/**
 * The event of an observation. It is refused when the address is invalid or belongs to the sensor. Severity and
 * categories are left out, because the domain derives them from the evidence. Private addresses pass: the pipeline
 * refuses and counts them.
 */
export function conpotEvent(seen: ConpotObservation, own: OwnAddresses): RecordResult {
  const indicatorType = addressType(seen.address);
  if (indicatorType === undefined) return refused(seen.line, 'INVALID_ADDRESS');
  if (own.has(seen.address)) return refused(seen.line, 'SENSOR_ADDRESS');
  const event: SensorEvent = {
    eventId: contentId(seen.record),
    sensorId: seen.sensorId,
    sensorType: 'ICS',
    protocol: seen.protocol.protocol,
    indicatorType,
    value: seen.address,
    observedAt: seen.observedAt,
    count: 1n,
    categories: [],
    severity: 'UNSPECIFIED',
    tags: [],
    labels: seen.protocol.labels,
    tlp: 'UNSPECIFIED',
    evidence: seen.evidence,
  };
  return eventsOf(seen.line, event);
}
