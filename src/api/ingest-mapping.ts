// Sensor events of the contract into those of the domain, and what became of them into the answer.

import type { EventSource, SensorEvent } from '../domain/sensor-event.ts';
import {
  INDICATOR_TYPES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
} from '../domain/vocabulary.ts';
import type { Caller } from '../gateway/caller.ts';
import {
  type EventSource as EventSourceMessage,
  IngestSensorEventsResponseSchema,
  type SensorEvent as SensorEventMessage,
} from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import type { EventResult, Reporter } from '../pipeline/commands.ts';
import { createEncoder } from './json-encoder.ts';
import { floorToInstant } from './timestamp.ts';
import { nameOf, namesOf } from './vocabulary-names.ts';

/**
 * Everything a credential reports is one independence group, whatever sources its events name. Rotation makes no second
 * one: nobody becomes more credible by it.
 */
export function toReporter(caller: Caller): Reporter {
  const id = caller.reportsAs ?? caller.id;
  return {
    account: caller.account,
    group: id,
    source: { id, name: caller.name, reliability: caller.reliability },
    ceiling: caller.ceiling,
  };
}

/** @throws TypeError for an event that did not pass the decoder, which requires `observedAt`. */
export function toSensorEvent(event: SensorEventMessage, reporter: Reporter): SensorEvent {
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
    ...(event.source === undefined ? {} : { source: toSource(event.source, reporter) }),
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

function toSource(source: EventSourceMessage, reporter: Reporter): EventSource {
  return {
    id: source.id,
    name: source.name === '' ? source.id : source.name,
    reliability: source.reliability ?? reporter.source.reliability,
  };
}

const encodeResponse = createEncoder<{
  readonly results: readonly EventResult[];
  readonly acceptedCount: number;
  readonly duplicateCount: number;
  readonly refusedCount: number;
}>(IngestSensorEventsResponseSchema);

/** The answer to a batch, with the results in the order of its events. */
export function encodeIngestResponse(results: readonly EventResult[]): string {
  const countOf = (status: EventResult['status']) =>
    results.filter((result) => result.status === status).length;
  return encodeResponse({
    results,
    acceptedCount: countOf('ACCEPTED'),
    duplicateCount: countOf('DUPLICATE'),
    refusedCount: countOf('REFUSED'),
  });
}
