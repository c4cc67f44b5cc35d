// One sensor event out of what a Conpot log says about a peer, whichever log it is.

import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Evidence } from '../evidence.ts';
import type { OwnAddresses } from '../home-net.ts';
import { addressType } from '../observables.ts';
import { eventsOf, type RecordResult, refused } from '../reader.ts';
import { contentId } from '../sensor-record.ts';
import type { ConpotProtocol } from './protocol.ts';

/** The sensor of records that name none. */
export const CONPOT_SENSOR = 'conpot';

/** Somebody connected; nothing is known to have been asked. */
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
 * The event of an observation; a refusal when the address is none or the sensor's own. Severity and categories stay
 * open: the domain derives them from the evidence. Private addresses pass: the pipeline refuses and counts them.
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
