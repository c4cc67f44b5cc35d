// A sensor event as it is reported, and the observation that is made from it.

import type { Entry } from '../evidence/tally.ts';
import type { Instant } from '../instant.ts';
import type {
  IndicatorType,
  Protocol,
  SensorType,
  Severity,
  ThreatCategory,
  TlpMarking,
} from '../vocabulary.ts';
import type { Intent, Label } from './indicator.ts';

export interface EventSource {
  readonly id: string;
  readonly name: string;
  /** 0 to 1. In an event, 0 selects the reliability of the credential. */
  readonly reliability: number;
}

/** As reported, before validation and normalisation. */
export interface SensorEvent {
  /** Unique for each sensor. An event with a known id is a duplicate. */
  readonly eventId: string;
  readonly sensorId: string;
  readonly sensorType: SensorType;
  readonly protocol: Protocol;
  /** UNSPECIFIED: recognised by the form of the value. */
  readonly indicatorType: IndicatorType;
  /** As seen. Defanged forms are accepted. */
  readonly value: string;
  readonly observedAt: Instant;
  /** Number of occurrences; 0 counts as 1. */
  readonly count: bigint;
  /** The source that the event names; what becomes of it depends on the reporter. Absent: the source of the credential. */
  readonly source?: EventSource;
  readonly categories: readonly ThreatCategory[];
  readonly severity: Severity;
  readonly tags: readonly string[];
  readonly labels: readonly Label[];
  /** UNSPECIFIED: the configured default. */
  readonly tlp: TlpMarking;
  /** What was seen, such as `modbus.function_code: "43"`. The keys are in evidence-key.ts. */
  readonly evidence: Readonly<Record<string, string>>;
}

/** A validated and normalised event, ready to be merged into the record of its indicator. */
export interface Observation {
  readonly type: IndicatorType;
  /** Canonical form. */
  readonly value: string;
  readonly observedAt: Instant;
  /** At least 1. */
  readonly count: bigint;
  readonly source: EventSource;
  /** Independence group. The sources of one group count once. */
  readonly group: string;
  /** The group of the credential that reported, if the source has a group of its own. Shares and limits go by it. */
  readonly credential?: string;
  /** Empty for an entry of a list, which no sensor saw. */
  readonly sensorId: string;
  readonly sensorType: SensorType;
  readonly protocol: Protocol;
  /** Never UNSPECIFIED. */
  readonly categories: readonly ThreatCategory[];
  readonly severity: Severity;
  /** In any order, possibly repeated. */
  readonly tags: readonly string[];
  /** In any order, possibly repeated. A label `intent` is ignored, since it is computed. */
  readonly labels: readonly Label[];
  /** Never UNSPECIFIED. */
  readonly tlp: TlpMarking;
  /** Codes of behaviour-rules.ts. */
  readonly behaviours: readonly string[];
  readonly intent: Intent;
  /** Quality as evidence, 0 to 1. */
  readonly quality: number;
  /** What is kept as evidence. */
  readonly seen: readonly Entry[];
}
