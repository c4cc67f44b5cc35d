// One observation as a sensor reports it, before anything is checked or normalised.

import type { Instant } from '../instant.ts';
import type {
  IndicatorType,
  Protocol,
  SensorType,
  Severity,
  ThreatCategory,
  TlpMarking,
} from '../vocabulary.ts';
import type { Label } from './indicator.ts';

export interface EventSource {
  readonly id: string;
  readonly name: string;
  /** 0 to 1. In an event, 0 selects the reliability of the credential. */
  readonly reliability: number;
}

export interface SensorEvent {
  /** Unique per sensor: a repeat is a duplicate. */
  readonly eventId: string;
  readonly sensorId: string;
  readonly sensorType: SensorType;
  readonly protocol: Protocol;
  /** UNSPECIFIED = recognised from the value. */
  readonly indicatorType: IndicatorType;
  /** As seen; defanged forms are understood. */
  readonly value: string;
  readonly observedAt: Instant;
  /** Occurrences covered; 0 counts as 1. */
  readonly count: bigint;
  /** Absent: the credential's own source. */
  readonly source?: EventSource;
  readonly categories: readonly ThreatCategory[];
  readonly severity: Severity;
  readonly tags: readonly string[];
  readonly labels: readonly Label[];
  /** UNSPECIFIED = the configured default. */
  readonly tlp: TlpMarking;
  /** What was seen, such as `modbus.function_code: "43"`; the keys are those of behaviour.ts. */
  readonly evidence: Readonly<Record<string, string>>;
}
