// From what a record shows to sensor events: the defaults that all readers share.

import type { Label } from '../domain/indicator/indicator.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import type { Instant } from '../domain/instant.ts';
import type { IndicatorType, Protocol, SensorType, Severity, ThreatCategory } from '../domain/vocabulary.ts';
import { contentId } from './content-id.ts';
import type { Evidence } from './evidence-text.ts';
import { addressType } from './source-address.ts';

const MAX_SENSOR_NAME = 128;
/** The contract's limit for a value. */
const MAX_VALUE_CHARACTERS = 4_096;

/** What all events of one record have in common. */
export interface SensorRecord {
  /** The whole record, from which the event ids are derived. */
  readonly text: string;
  readonly sensorId: string;
  readonly sensorType: SensorType;
  readonly observedAt: Instant;
  readonly protocol: Protocol;
  readonly labels?: readonly Label[];
}

/** One observable in a record. Severity and categories stay open where the domain derives them from the evidence. */
export interface Shown {
  readonly type: IndicatorType;
  readonly value: string;
  readonly evidence: Evidence;
  readonly count?: bigint;
  readonly severity?: Severity;
  readonly categories?: readonly ThreatCategory[];
}

/**
 * The events of a record: one for each distinct observable. Private addresses and broken values pass: the pipeline
 * refuses and counts them. Text that no store could hold is left out.
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

/** The peer of a record as an observable; undefined when the text is no address. */
export function peer(address: string, evidence: Evidence): Shown | undefined {
  const type = addressType(address);
  return type === undefined ? undefined : { type, value: address, evidence };
}

/** @param named what the record calls its sensor, if anything */
export function sensorName(named: string | undefined, given: string | undefined, format: string): string {
  const name = named?.trim().slice(0, MAX_SENSOR_NAME) ?? '';
  return name !== '' && isKeepable(name) ? name : (given ?? format);
}
