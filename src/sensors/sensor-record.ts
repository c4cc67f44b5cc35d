// Sensor events from the observables of a record: defaults, ids and times that all readers share.

import { hash } from 'node:crypto';
import type { Label } from '../domain/indicator/indicator.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import type { Instant } from '../domain/instant.ts';
import { parseTimestamp, type TimestampForm, toInstant } from '../domain/timestamp.ts';
import type { Protocol, SensorType } from '../domain/vocabulary.ts';
import type { Shown } from './observables.ts';

const MAX_SENSOR_NAME = 128;
/** The limit of the contract. */
const MAX_VALUE_CHARACTERS = 4_096;

/** What the events of one record have in common. */
export interface SensorRecord {
  /** The whole record. The event ids are derived from it. */
  readonly text: string;
  readonly sensorId: string;
  readonly sensorType: SensorType;
  readonly observedAt: Instant;
  readonly protocol: Protocol;
  readonly labels?: readonly Label[];
}

/**
 * The events of a record, one for each distinct observable. Private addresses and invalid values pass: the pipeline
 * refuses and counts them. Text that a store cannot hold is left out.
 */
export function eventsIn(record: SensorRecord, shown: readonly Shown[]): SensorEvent[] {
  const events = new Map<string, SensorEvent>();
  for (const item of shown) {
    const observable = `${item.type} ${item.value}`;
    if (events.has(observable) || !isKeepable(item.value)) continue;
    events.set(observable, {
      eventId: contentId(`${observable}\n${record.text}`),
      sensorId: record.sensorId,
      sensorType: record.sensorType,
      protocol: record.protocol,
      indicatorType: item.type,
      value: item.value,
      observedAt: record.observedAt,
      count: item.count ?? 1n,
      categories: item.categories ?? [],
      severity: item.severity ?? 'UNSPECIFIED',
      tags: [],
      labels: record.labels ?? [],
      tlp: 'UNSPECIFIED',
      evidence: item.evidence,
    });
  }
  return [...events.values()];
}

function isKeepable(value: string): boolean {
  return (
    value !== '' && value.length <= MAX_VALUE_CHARACTERS && value.isWellFormed() && !value.includes('\0')
  );
}

/** @param named the sensor that the record names, if any */
export function sensorName(named: string | undefined, given: string | undefined, format: string): string {
  const name = named?.trim().slice(0, MAX_SENSOR_NAME) ?? '';
  return name !== '' && isKeepable(name) ? name : (given ?? format);
}

/**
 * An event id for a record that has none: 32 hex digits of a hash of its content. Reading a log a second time yields
 * duplicates. Two identical records are one event, because nothing distinguishes them.
 */
export function contentId(record: string): string {
  return hash('sha256', record, 'hex').slice(0, 32);
}

const LOGGER_FORM: TimestampForm = {
  lowerCase: true,
  blankForT: true,
  comma: true,
  offsetWithoutColon: true,
  zone: 'optional',
};

/**
 * `2019-04-22 20:26:35,839` (Python logging), `2026-05-17T16:49:28.682339` (isoformat) or RFC 3339, cut to milliseconds.
 * Without a zone it is UTC. Undefined when it is not such a time.
 */
export function recordTime(text: string): Instant | undefined {
  const timestamp = parseTimestamp(text, LOGGER_FORM);
  // No record is from the year 0000.
  return timestamp === undefined || text.startsWith('0000') ? undefined : toInstant(timestamp);
}
