// One sensor event, validated and normalised, ready to be merged into the record of its indicator.

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
import type { EventSource } from './sensor-event.ts';

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
}
