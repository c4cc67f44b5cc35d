// Limits of the source names that one indicator keeps.
//
// A credential may name any number of sources. Without limits it could fill the record; if observations beyond a limit
// were refused, it could lock others out. An observation beyond the limits therefore still counts, but under the name
// of OTHER_SOURCES.

import type { SourceEvidence } from './indicator.ts';
import type { Observation } from './sensor-event.ts';

/** Pairs of a source and the group that reports it. */
export const SOURCE_LIMIT = 256;
/** Pairs of one credential, so that it cannot use up all names. */
export const CREDENTIAL_SOURCE_LIMIT = 64;
/** Groups with their own entry for OTHER_SOURCES. */
export const OTHERS_LIMIT = 256;

/** Stands for all sources beyond the limits. A reporter of this name means the same. */
export const OTHER_SOURCES = { id: 'other-sources', name: 'Other sources' } as const;
/** Stands for all groups beyond the limit. They count as one, since their independence is no longer known. */
export const OTHER_GROUPS = 'other-groups';

/**
 * The observation, renamed if its source is beyond the limits. The first sources keep their names for good.
 * @param known evidence of the indicator, sorted by source and group.
 */
export function withinSourceLimits(known: readonly SourceEvidence[], observation: Observation): Observation {
  const { source, group, credential = group } = observation;
  let named = 0;
  let own = 0;
  let others = 0;
  let hasOthers = false;
  for (const one of known) {
    if (one.sourceId === OTHER_SOURCES.id) {
      others++;
      hasOthers ||= one.group === credential;
    } else {
      if (one.group === group && one.sourceId === source.id) return observation;
      named++;
      if ((one.credential ?? one.group) === credential) own++;
    }
  }
  if (source.id !== OTHER_SOURCES.id && named < SOURCE_LIMIT && own < CREDENTIAL_SOURCE_LIMIT) {
    return observation;
  }
  // A source with a group of its own loses it with its name.
  return {
    ...observation,
    source: { ...OTHER_SOURCES, reliability: source.reliability },
    group: hasOthers || others < OTHERS_LIMIT ? credential : OTHER_GROUPS,
  };
}
