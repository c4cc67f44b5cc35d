// The collections of the API root (TAXII 2.1 §5.1, §5.2): the whole feed, parts of it declared by a filter, and the
// inbox of partners.

import { type IndicatorFilter, MATCH_ALL } from './filter.ts';
import type { Indicator } from './indicator/indicator.ts';
import { matches } from './indicator/matching.ts';

export interface FeedCollection {
  /** The `{id}` of the path. */
  readonly id: string;
  /** Never changes: some clients find a collection by its title. */
  readonly title: string;
  readonly description: string;
  /** Accepted instead of the id in a path. */
  readonly alias?: string;
}

/** A part of the feed: the indicators that match the filter, with their relationships and sightings. */
export interface DeclaredCollection extends FeedCollection {
  readonly filter: IndicatorFilter;
}

export const SERVICE_GLOBAL_FEED: FeedCollection = {
  id: 'service-global-feed',
  title: 'Service Global Feed',
  description: 'All indicators from the state scored on, in every version, with what they refer to.',
};

/** Part of every installation, always with the same id. */
export const ICS_COLLECTION: DeclaredCollection = {
  id: '4b6c1f0e-93d7-4a58-8f21-6d0e5b7ac394',
  title: 'Industrial Control Systems',
  description: 'Indicators seen by sensors of industrial-control systems, with what they refer to.',
  alias: 'ics',
  filter: { ...MATCH_ALL, sensorTypes: ['ICS'] },
};

/**
 * Write-only: partners send indicators and sightings here. The pipeline processes them like any report and publishes
 * the result in the feed.
 */
export const PARTNER_REPORTS: FeedCollection = {
  id: 'd1f3a8c2-5b07-4e96-a4cd-2f8e60b917d3',
  title: 'Partner Reports',
  description:
    'Indicators and sightings of partners: taken in as reports, published in the other collections.',
  alias: 'partner-reports',
};

/** Ids of the collections whose filter matches the indicator as it is now. */
export function collectionsOf(
  indicator: Indicator,
  declared: readonly DeclaredCollection[],
): readonly string[] {
  return declared.filter(({ filter }) => matches(indicator, filter)).map(({ id }) => id);
}
