// The collections of the API root (TAXII 2.1 §5.1, §5.2): the whole feed, and parts of it that are declared by a filter.

import { type IndicatorFilter, MATCH_ALL } from './filter.ts';
import type { Indicator } from './indicator/indicator.ts';
import { matches } from './indicator/matching.ts';

export interface FeedCollection {
  /** The `{id}` of the path. */
  readonly id: string;
  /** Some clients find a collection by its title: it never changes. */
  readonly title: string;
  readonly description: string;
  /** Another name that can stand for the id in a path. */
  readonly alias?: string;
}

/** A part of the feed: indicators that the filter matches, with everything about them. */
export interface DeclaredCollection extends FeedCollection {
  readonly filter: IndicatorFilter;
}

export const SERVICE_GLOBAL_FEED: FeedCollection = {
  id: 'service-global-feed',
  title: 'Service Global Feed',
  description: 'All indicators from the state scored on, in every version, with what they refer to.',
};

/** Shipped. The id is fixed: clients of every installation find it under the same. */
export const ICS_COLLECTION: DeclaredCollection = {
  id: '4b6c1f0e-93d7-4a58-8f21-6d0e5b7ac394',
  title: 'Industrial Control Systems',
  description: 'Indicators seen by sensors of industrial-control systems, with what they refer to.',
  alias: 'ics',
  filter: { ...MATCH_ALL, sensorTypes: ['ICS'] },
};

/**
 * Where partners send indicators and sightings to. Nobody reads it: what was sent goes through the pipeline like any
 * report, and comes out in the feed.
 */
export const PARTNER_REPORTS: FeedCollection = {
  id: 'd1f3a8c2-5b07-4e96-a4cd-2f8e60b917d3',
  title: 'Partner Reports',
  description:
    'Indicators and sightings of partners: taken in as reports, published in the other collections.',
  alias: 'partner-reports',
};

/** Ids of the collections that an indicator belongs to as it is now. */
export function collectionsOf(
  indicator: Indicator,
  declared: readonly DeclaredCollection[],
): readonly string[] {
  return declared.filter(({ filter }) => matches(indicator, filter)).map(({ id }) => id);
}
