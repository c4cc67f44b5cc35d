// Hosts that nobody acted on. An attacker who types `wget google.com` names a host, and that is all.

import type { IndicatorRecord } from '../indicator/indicator.ts';
import { UNPROVEN } from './quality.ts';

const MENTION = 'mention:host';

/**
 * Whether all that is known of a host is that it was named, by one group of sources. It is then the other end of a link,
 * and not yet an indicator for readers of the feed: a file that comes from it, a report of another source or an act of its
 * own makes it one.
 */
export function isMereMention({ evidence }: IndicatorRecord): boolean {
  const { behaviours, sources } = evidence;
  return (
    behaviours.length === 1 &&
    behaviours[0] === MENTION &&
    sources.every(({ quality, group }) => quality <= UNPROVEN && group === sources[0]?.group)
  );
}
