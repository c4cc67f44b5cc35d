// The filter message of the contract as a filter of the domain.

import type { IndicatorFilter, TimeWindow } from '../domain/filter.ts';
import {
  CONTROL_INTENTS,
  INDICATOR_STATES,
  INDICATOR_TYPES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  VERDICTS,
} from '../domain/vocabulary.ts';
import type { IndicatorFilter as FilterMessage } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { nameOf, namesOf } from './contract.ts';
import { ceilToInstant, floorToInstant, type TimestampParts } from './proto-timestamp.ts';

/** Never throws. `filterViolations` finds contradictions. */
export function toFilter(filter: FilterMessage): IndicatorFilter {
  return {
    types: namesOf(INDICATOR_TYPES, filter.types),
    categories: namesOf(THREAT_CATEGORIES, filter.categories),
    minSeverity: nameOf(SEVERITIES, filter.minSeverity),
    // Both floors apply, so the larger one decides.
    minConfidenceScore: Math.max(filter.minConfidenceScore, filter.minConfidence ?? 0),
    states: namesOf(INDICATOR_STATES, filter.states),
    tags: [...new Set(filter.tags)],
    lastSeenWindow: toWindow(filter.lastSeenWindow?.start, filter.lastSeenWindow?.end),
    sourceIds: [...new Set(filter.sourceIds)],
    protocols: namesOf(PROTOCOLS, filter.protocols),
    sensorTypes: namesOf(SENSOR_TYPES, filter.sensorTypes),
    createdWindow: toWindow(filter.createdAfter, filter.createdBefore),
    labels: [...new Set(filter.labels)],
    intents: namesOf(CONTROL_INTENTS, filter.intents),
    countryCodes: [...new Set(filter.countryCodes.map((code) => code.toUpperCase()))],
    asns: [...new Set(filter.asns)],
    attackTechniques: [...new Set(filter.attackTechniques)],
    malwareFamilies: [...new Set(filter.malwareFamilies)],
    verdicts: namesOf(VERDICTS, filter.verdicts),
    includeWithdrawn: filter.includeWithdrawn,
    // An indicator is stale from validUntil on. validUntil is a whole millisecond, so rounding down selects the same
    // indicators.
    ...(filter.validAt === undefined ? {} : { validAt: floorToInstant(filter.validAt) }),
  };
}

function toWindow(start: TimestampParts | undefined, end: TimestampParts | undefined): TimeWindow {
  return {
    ...(start === undefined ? {} : { start: ceilToInstant(start) }),
    ...(end === undefined ? {} : { end: ceilToInstant(end) }),
  };
}
