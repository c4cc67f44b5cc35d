// The indicators that the events of one session named. Each new one is linked with those before it.

import { DAY, type Instant } from '../instant.ts';
import { isVisible, moreRestrictive } from '../tlp.ts';
import type { TlpMarking } from '../vocabulary.ts';

export interface SessionMember {
  readonly indicatorId: string;
  /** Of the event that named it. */
  readonly marking: TlpMarking;
  /** When it was named. */
  readonly at: Instant;
}

export const SESSION_MEMORY = DAY;
/** For each reader: of the members that one can see. */
const MEMBER_LIMIT = 16;

export interface Joined {
  readonly members: readonly SessionMember[];
  /** The members before it, each with the marking of a link to it: that of the more restrictive of two events. */
  readonly linked: readonly { readonly otherId: string; readonly marking: TlpMarking }[];
}

/**
 * The session with one more member. Undefined if readers of its marking know it already, or if they see as many members
 * as there may be. Members above its marking change neither.
 */
export function joinSession(members: readonly SessionMember[], joining: SessionMember): Joined | undefined {
  const current = members.filter(({ at }) => joining.at - at < SESSION_MEMORY);
  const seen = current.filter(({ marking }) => isVisible(marking, joining.marking));
  if (seen.length >= MEMBER_LIMIT) return undefined;
  if (seen.some(({ indicatorId }) => indicatorId === joining.indicatorId)) return undefined;
  return {
    members: [...current, joining],
    linked: current
      .filter(({ indicatorId }) => indicatorId !== joining.indicatorId)
      .map(({ indicatorId, marking }) => ({
        otherId: indicatorId,
        marking: moreRestrictive(marking, joining.marking),
      })),
  };
}
