// What makes a filter senseless. Requests and declared collections are held to the same rules.

import type { FieldViolation } from './errors.ts';
import type { IndicatorFilter, TimeWindow } from './filter.ts';

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
