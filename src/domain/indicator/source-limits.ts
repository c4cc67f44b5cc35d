// Limits of the source names that one indicator keeps.
//
// A credential may name any number of sources. Without limits it could fill the record; if observations beyond a limit
// were refused, it could lock others out. An observation beyond the limits therefore still counts, but under the name
// of OTHER_SOURCES.

import type { SourceEvidence } from './indicator.ts';
import type { EventSource, Observation } from './sensor-event.ts';

/** Pairs of a source and the group that reports it. */
export const SOURCE_LIMIT = 256;
/** Pairs of one group, so that one credential cannot use up all names. */
export const GROUP_SOURCE_LIMIT = 64;
/** Groups with their own entry for OTHER_SOURCES. */
export const OTHERS_LIMIT = 256;

/** Stands for all sources beyond the limits. An event that names it means the same. */
export const OTHER_SOURCES = { id: 'other-sources', name: 'Other sources' } as const;
/** Stands for all groups beyond the limit. They count as one, since their independence is no longer known. */
export const OTHER_GROUPS = 'other-groups';

/**
 * The observation, renamed if its source is beyond the limits. The first sources keep their names for good.
 * @param known evidence of the indicator, sorted by source and group.
 */
export function withinSourceLimits(known: readonly SourceEvidence[], observation: Observation): Observation {
  const { source, group } = observation;
  let named = 0;
  let namedInGroup = 0;
  let others = 0;
  let groupHasOthers = false;
  for (const one of known) {
    const sameGroup = one.group === group;
    if (one.sourceId === OTHER_SOURCES.id) {
      others++;
      groupHasOthers ||= sameGroup;
    } else {
      if (sameGroup && one.sourceId === source.id) return observation;
      named++;
      if (sameGroup) namedInGroup++;
    }
  }
  if (source.id !== OTHER_SOURCES.id && named < SOURCE_LIMIT && namedInGroup < GROUP_SOURCE_LIMIT) {
    return observation;
  }
  const renamed: EventSource = { ...OTHER_SOURCES, reliability: source.reliability };
  return groupHasOthers || others < OTHERS_LIMIT
    ? { ...observation, source: renamed }
    : { ...observation, source: renamed, group: OTHER_GROUPS };
}
