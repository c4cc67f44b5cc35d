// What a search asks for, and which filters are invalid. Every member that is set must hold; inside a list one match is enough.

import type { FieldViolation } from './errors.ts';
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

/** Paths under which faults are reported, in the spelling of whoever wrote the filter. */
export interface FilterFieldNames {
  readonly minConfidenceScore: string;
  readonly lastSeenWindow: string;
  readonly createdWindow: string;
}

/** Those of a search request: the window of createdAt has no field of its own there. */
export const REQUEST_FIELD_NAMES: FilterFieldNames = {
  minConfidenceScore: 'filter.minConfidenceScore',
  lastSeenWindow: 'filter.lastSeenWindow',
  createdWindow: 'filter.createdAfter',
};

/** Every fault of a filter, empty when it can be evaluated. A window that starts where it ends is empty, not wrong. */
export function filterViolations(
  filter: IndicatorFilter,
  fieldNames: FilterFieldNames = REQUEST_FIELD_NAMES,
): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const score = filter.minConfidenceScore;
  if (!Number.isInteger(score) || score < 0 || score > 100) {
    violations.push({
      field: fieldNames.minConfidenceScore,
      description: 'must be a whole number from 0 to 100',
    });
  }
  for (const name of ['lastSeenWindow', 'createdWindow'] as const) {
    if (isReversed(filter[name])) {
      violations.push({ field: fieldNames[name], description: 'must not start after it ends' });
    }
  }
  return violations;
}

function isReversed({ start, end }: TimeWindow): boolean {
  return start !== undefined && end !== undefined && start > end;
}
