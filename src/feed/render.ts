// The pipeline's way into the feed: which STIX objects one version of an indicator is published as.

import type { Indicator, IndicatorRecord } from '../domain/indicator.ts';
import { toRfc3339 } from '../domain/instant.ts';
import type { FeedAppend } from '../store/stores.ts';
import { indicatorStixId, type StixContext } from './stix-ids.ts';
import { type PublishedIndicator, renderIndicator } from './stix-indicator.ts';

/** The pipeline's port `RenderStix`, for one installation. A RAW indicator has no objects: it is not intelligence yet. */
export function renderStix(context: StixContext): (record: IndicatorRecord) => readonly FeedAppend[] {
  return ({ indicator }) => {
    if (!isPublished(indicator)) return [];
    return [
      {
        id: indicatorStixId(indicator.id),
        type: 'indicator',
        version: toRfc3339(indicator.updatedAt),
        modified: indicator.updatedAt,
        // Fails closed: what carries no marking is for the most trusted only.
        tlp: indicator.tlp === 'UNSPECIFIED' ? 'RED' : indicator.tlp,
        object: renderIndicator(indicator, context),
      },
    ];
  };
}

function isPublished(indicator: Indicator): indicator is PublishedIndicator {
  const { state, type } = indicator;
  return state !== 'RAW' && state !== 'UNSPECIFIED' && type !== 'UNSPECIFIED';
}
