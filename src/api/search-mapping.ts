// A search request of the contract into one of the domain: shorthand members are resolved here and nowhere else, so that
// page tokens and stores only ever see one way of asking.

import { type FieldViolation, invalidArgument } from '../domain/errors.ts';
import { type IndicatorFilter, MATCH_ALL, type TimeWindow } from '../domain/filter.ts';
import { filterViolations } from '../domain/filter-rules.ts';
import {
  INDICATOR_STATES,
  INDICATOR_TYPES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  type TlpMarking,
} from '../domain/vocabulary.ts';
import type {
  IndicatorFilter as FilterMessage,
  SearchIndicatorsRequest,
} from '../gen/threatintel/v1/indicator_service_pb.ts';
import type { SearchRequest } from '../search/search.ts';
import { ceilToInstant, floorToInstant, type TimestampParts } from './timestamp.ts';
import { nameOf, namesOf } from './vocabulary-names.ts';

/** @throws ServiceError `invalid_argument` for windows that end before they start and for contradicting page sizes. */
export function toSearchRequest(request: SearchIndicatorsRequest, ceiling: TlpMarking): SearchRequest {
  const filter = request.filter === undefined ? MATCH_ALL : toFilter(request.filter);
  const nested = request.pagination?.pageSize ?? 0;
  const shorthand = request.pageSize ?? 0;
  const conflict = nested !== 0 && shorthand !== 0 && nested !== shorthand ? PAGE_SIZE_CONFLICT : [];
  const violations = [...filterViolations(filter), ...conflict];
  if (violations.length > 0) {
    const onlyPageSize = violations.length === conflict.length;
    throw invalidArgument(violations, onlyPageSize ? 'CONFLICTING_PAGE_SIZE' : undefined);
  }
  return {
    filter,
    query: request.query,
    pageSize: nested === 0 ? shorthand : nested,
    pageToken: request.pagination?.pageToken ?? '',
    ceiling,
  };
}

const PAGE_SIZE_CONFLICT: readonly FieldViolation[] = [
  { field: 'pageSize', description: 'differs from pagination.pageSize' },
  { field: 'pagination.pageSize', description: 'differs from pageSize' },
];

/** @throws nothing: what contradicts itself is for `filterViolations` to find. */
export function toFilter(filter: FilterMessage): IndicatorFilter {
  return {
    types: namesOf(INDICATOR_TYPES, filter.types),
    categories: namesOf(THREAT_CATEGORIES, filter.categories),
    minSeverity: nameOf(SEVERITIES, filter.minSeverity),
    // Members are ANDed, so the larger of two floors decides.
    minConfidenceScore: Math.max(filter.minConfidenceScore, filter.minConfidence ?? 0),
    states: namesOf(INDICATOR_STATES, filter.states),
    tags: [...new Set(filter.tags)],
    lastSeenWindow: toWindow(filter.lastSeenWindow?.start, filter.lastSeenWindow?.end),
    sourceIds: [...new Set(filter.sourceIds)],
    protocols: namesOf(PROTOCOLS, filter.protocols),
    sensorTypes: namesOf(SENSOR_TYPES, filter.sensorTypes),
    createdWindow: toWindow(filter.createdAfter, filter.createdBefore),
    // Stale from validUntil on: over whole milliseconds, later than an instant is later than the millisecond it lies in.
    ...(filter.validAt === undefined ? {} : { validAt: floorToInstant(filter.validAt) }),
  };
}

function toWindow(start: TimestampParts | undefined, end: TimestampParts | undefined): TimeWindow {
  return {
    ...(start === undefined ? {} : { start: ceilToInstant(start) }),
    ...(end === undefined ? {} : { end: ceilToInstant(end) }),
  };
}
