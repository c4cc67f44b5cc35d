// The sensor event of the contract as one of the domain.

import type { EventSource, SensorEvent } from '../domain/indicator/sensor-event.ts';
import {
  INDICATOR_TYPES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
} from '../domain/vocabulary.ts';
import type {
  EventSource as EventSourceMessage,
  SensorEvent as SensorEventMessage,
} from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { floorToInstant } from './proto-timestamp.ts';
import { nameOf, namesOf } from './vocabulary-names.ts';

/**
 * @param reliability of a source that states none.
 * @throws TypeError for an event that did not pass the decoder, which requires `observedAt`.
 */
export function toSensorEvent(event: SensorEventMessage, reliability: number): SensorEvent {
  if (event.observedAt === undefined) throw new TypeError('an event without observedAt');
  return {
    eventId: event.eventId,
    sensorId: event.sensorId,
    sensorType: nameOf(SENSOR_TYPES, event.sensorType),
    protocol: nameOf(PROTOCOLS, event.protocol),
    indicatorType: nameOf(INDICATOR_TYPES, event.indicatorType),
    value: event.value,
    observedAt: floorToInstant(event.observedAt),
    count: event.count,
    ...(event.source === undefined ? {} : { source: toSource(event.source, reliability) }),
    // UNSPECIFIED among categories says nothing.
    categories: namesOf(
      THREAT_CATEGORIES,
      event.categories.filter((category) => category !== 0),
    ),
    severity: nameOf(SEVERITIES, event.severity),
    tags: [...new Set(event.tags)],
    labels: event.labels.map(({ key, value }) => ({ key, value })),
    tlp: nameOf(TLP_MARKINGS, event.tlp),
    evidence: { ...event.evidence },
  };
}

function toSource(source: EventSourceMessage, reliability: number): EventSource {
  return {
    id: source.id,
    name: source.name === '' ? source.id : source.name,
    reliability: source.reliability ?? reliability,
  };
}
