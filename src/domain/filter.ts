// What a search asks for. All members that are set must hold; inside a list one match is enough.

import type { Instant } from './instant.ts';
import type {
  IndicatorState,
  IndicatorType,
  Protocol,
  SensorType,
  Severity,
  ThreatCategory,
} from './vocabulary.ts';

/** Half-open: `start` is inside, `end` is outside. A missing side is unbounded. */
export interface TimeWindow {
  readonly start?: Instant;
  readonly end?: Instant;
}

/** An empty list means all; UNSPECIFIED in a list matches indicators that have no value there. */
export interface IndicatorFilter {
  readonly types: readonly IndicatorType[];
  readonly categories: readonly ThreatCategory[];
  /** UNSPECIFIED means no floor. */
  readonly minSeverity: Severity;
  /** 0 to 100. */
  readonly minConfidenceScore: number;
  readonly states: readonly IndicatorState[];
  readonly tags: readonly string[];
  readonly lastSeenWindow: TimeWindow;
  readonly sourceIds: readonly string[];
  readonly protocols: readonly Protocol[];
  readonly sensorTypes: readonly SensorType[];
  /** Window of createdAt: `start` inclusive, `end` exclusive. */
  readonly createdWindow: TimeWindow;
  /** Only indicators not stale at this instant: no validUntil, or validUntil after it. */
  readonly validAt?: Instant;
}

export const MATCH_ALL: IndicatorFilter = {
  types: [],
  categories: [],
  minSeverity: 'UNSPECIFIED',
  minConfidenceScore: 0,
  states: [],
  tags: [],
  lastSeenWindow: {},
  sourceIds: [],
  protocols: [],
  sensorTypes: [],
  createdWindow: {},
};
