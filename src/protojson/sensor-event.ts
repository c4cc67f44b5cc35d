// Sensor events: from JSON, and from messages of the contract, to events of the domain.

import type { EventSource, SensorEvent } from '../domain/indicator/sensor-event.ts';
import {
  INDICATOR_TYPES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
} from '../domain/vocabulary.ts';
import {
  type EventSource as EventSourceMessage,
  type SensorEvent as SensorEventMessage,
  SensorEventSchema,
} from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { nameOf, namesOf } from './contract.ts';
import { FIELD_RULES, withOptional } from './field-rules.ts';
import { createDecoder } from './json-decoder.ts';
import { floorToInstant } from './proto-timestamp.ts';

/** A field that the caller of the decoder can fill in when the event leaves it out. */
type OptionalField = 'event_id' | 'sensor_id';

/**
 * Compiles the decoder of one sensor event. It applies the rules of the REST interface, so a line of a file is judged
 * like an event of a request. An optional field that is missing is the empty string. The decoder throws
 * `invalid_argument` with all the faults it found.
 */
export function createSensorEventDecoder(
  optional: readonly OptionalField[],
): (json: Uint8Array | string) => SensorEvent {
  const fields = optional.map((name) => `${SensorEventSchema.typeName}.${name}`);
  const decode = createDecoder(SensorEventSchema, withOptional(FIELD_RULES, fields));
  return (json) => toSensorEvent(decode(json));
}

/** @throws TypeError for a message without `observedAt`. The decoder requires it. */
export function toSensorEvent(event: SensorEventMessage): SensorEvent {
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
    ...(event.source === undefined ? {} : { source: toSource(event.source) }),
    // UNSPECIFIED in the list adds nothing.
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

function toSource(source: EventSourceMessage): EventSource {
  return {
    id: source.id,
    name: source.name === '' ? source.id : source.name,
    // 0 selects the reliability of the credential, as in the contract.
    reliability: source.reliability ?? 0,
  };
}
