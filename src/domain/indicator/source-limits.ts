// Which sources of an indicator are told apart, and what the others count as.
//
// Whoever has a credential may name any number of sources. Were everything kept under its name, one reporter could fill
// the record; were it refused beyond a limit, he could lock the others out. So beyond the limits an observation counts
// as all others do, under the name of OTHER_SOURCES: nothing of it is lost but that name.

import type { SourceEvidence } from './indicator.ts';
import type { Observation } from './observation.ts';
import type { EventSource } from './sensor-event.ts';

/** Sources with a name of their own: as pairs of a source and the group that reports it. */
export const SOURCE_LIMIT = 256;
/** Of these in one group, so that it takes several credentials to leave no names to the others. */
export const GROUP_SOURCE_LIMIT = 64;
/** Groups that have OTHER_SOURCES, each by itself. */
export const OTHERS_LIMIT = 256;

/** Sources that are not told apart. An event may name this one too, and means the same. */
export const OTHER_SOURCES = { id: 'other-sources', name: 'Other sources' } as const;
/** Groups that are not told apart. They count as one: that they are independent cannot be shown any more. */
export const OTHER_GROUPS = 'other-groups';

/**
 * The observation as it is merged: the first to come are told apart, and stay so. Which those are depends on the
 * observations before it alone, in the order in which they were taken in.
 * @param known of its indicator, sorted by source and group.
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
