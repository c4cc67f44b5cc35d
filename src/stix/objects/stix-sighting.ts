// The sighting of an indicator by one source on one UTC day (STIX 2.1 §5.2).

import type { Indicator, Sighting } from '../../domain/indicator/indicator.ts';
import { DAY, dayOf, type Instant, toRfc3339 } from '../../domain/instant.ts';
import type { FeedAppend } from '../../store/stores.ts';
import { indicatorStixId, type RenderContext, stixEntry, stixId } from './stix-object.ts';

/** §5.2: the highest count. */
export const SIGHTING_COUNT_LIMIT = 999_999_999;

/** The count, limited to what STIX allows. */
export function stixCount({ count }: Sighting): number {
  return count > SIGHTING_COUNT_LIMIT ? SIGHTING_COUNT_LIMIT : Number(count);
}

/** Identifies a sighting among those of one indicator. */
export function sightingKey({ sourceId, observedAt }: Sighting): string {
  return `${dayOf(observedAt)}/${sourceId}`;
}

/** @param source the identity of the source. */
export function renderSighting(
  context: RenderContext,
  indicator: Indicator,
  sighting: Sighting,
  source: FeedAppend,
  createdAt: Instant,
): FeedAppend {
  const { id, tlp, updatedAt, firstSeen } = indicator;
  const header = {
    type: 'sighting',
    id: stixId(context.secret, 'sighting', JSON.stringify([id, sightingKey(sighting)])),
    createdAt,
    modified: updatedAt,
    tlp,
  };
  const owner = indicatorStixId(id);
  const { observedAt } = sighting;
  return {
    ...stixEntry(context, header, {
      // The window of the count: the day, from the first observation of the indicator to the last one of the day.
      first_seen: toRfc3339(Math.min(Math.max(dayOf(observedAt) * DAY, firstSeen), observedAt)),
      last_seen: toRfc3339(observedAt),
      count: stixCount(sighting),
      sighting_of_ref: owner,
      where_sighted_refs: [source.id],
    }),
    owner,
  };
}
