// What a search asks for, and which filters are invalid. Every member that is set must hold; inside a list one match is
// enough.

import type { FieldViolation } from './errors.ts';
import { isTechniqueId } from './evidence/technique-id.ts';
import type { Instant } from './instant.ts';
import type {
  ControlIntent,
  IndicatorState,
  IndicatorType,
  Protocol,
  SensorType,
  Severity,
  ThreatCategory,
  VerdictName,
} from './vocabulary.ts';

/** Half-open: `start` is inside, `end` is outside. A missing side is unbounded. */
export interface TimeWindow {
  readonly start?: Instant;
  readonly end?: Instant;
}

/** An empty list matches everything. UNSPECIFIED in a list matches indicators without a value. */
export interface IndicatorFilter {
  readonly types: readonly IndicatorType[];
  readonly categories: readonly ThreatCategory[];
  /** UNSPECIFIED sets no minimum. */
  readonly minSeverity: Severity;
  /** 0 to 100. */
  readonly minConfidenceScore: number;
  readonly states: readonly IndicatorState[];
  readonly tags: readonly string[];
  readonly lastSeenWindow: TimeWindow;
  readonly sourceIds: readonly string[];
  readonly protocols: readonly Protocol[];
  readonly sensorTypes: readonly SensorType[];
  /** Window of createdAt. */
  readonly createdWindow: TimeWindow;
  /** `key=value`, or `key` for any value. */
  readonly labels: readonly string[];
  readonly intents: readonly ControlIntent[];
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCodes: readonly string[];
  readonly asns: readonly number[];
  /** T1234 or T1234.567, of any release. A technique covers its sub-techniques. */
  readonly attackTechniques: readonly string[];
  /** In any case. */
  readonly malwareFamilies: readonly string[];
  readonly verdicts: readonly VerdictName[];
  /** Matches indicators that are valid at this instant: validUntil is absent or later. */
  readonly validAt?: Instant;
  /** Whether disputed and withdrawn indicators match. */
  readonly includeWithdrawn: boolean;
}

/** All that nobody has disputed or withdrawn. */
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
  labels: [],
  intents: [],
  countryCodes: [],
  asns: [],
  attackTechniques: [],
  malwareFamilies: [],
  verdicts: [],
  includeWithdrawn: false,
};

/** Paths of the fields in the spelling of the sender, for violations. */
export interface FilterFieldNames {
  readonly minConfidenceScore: string;
  readonly lastSeenWindow: string;
  readonly createdWindow: string;
  readonly countryCodes: string;
  readonly attackTechniques: string;
}

/** The paths of a search request. Its window of createdAt is named after one bound. */
export const REQUEST_FIELD_NAMES: FilterFieldNames = {
  minConfidenceScore: 'filter.minConfidenceScore',
  lastSeenWindow: 'filter.lastSeenWindow',
  createdWindow: 'filter.createdAfter',
  countryCodes: 'filter.countryCodes',
  attackTechniques: 'filter.attackTechniques',
};

/**
 * Every fault of a filter; empty when the filter is valid. Requests and declared collections follow the same rules. A
 * window that starts where it ends is valid and empty.
 */
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
  filter.countryCodes.forEach((code, index) => {
    if (!/^[A-Z]{2}$/.test(code)) {
      const description = 'must be a country code of two letters, such as DE';
      violations.push({ field: `${fieldNames.countryCodes}[${index}]`, description });
    }
  });
  filter.attackTechniques.forEach((id, index) => {
    if (!isTechniqueId(id)) {
      const description = 'must be the id of a technique, such as T1110 or T1110.001';
      violations.push({ field: `${fieldNames.attackTechniques}[${index}]`, description });
    }
  });
  return violations;
}

function isReversed({ start, end }: TimeWindow): boolean {
  return start !== undefined && end !== undefined && start > end;
}
