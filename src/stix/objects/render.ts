// The pipeline's way into the feed: which STIX objects are published about one indicator, and when again.
//
// The pipeline says when the indicator itself has changed. Relationships and sightings are published when they are new,
// when they ended, when a count has doubled or a day is over, and when the marking or the collections of the indicator
// changed, which they share (docs/decisions/0015-when-a-sighting-is-published.md).

import { collectionsOf, type DeclaredCollection } from '../../domain/collection.ts';
import type { FeedState, Indicator, IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { dayOf, toRfc3339 } from '../../domain/instant.ts';
import type { FeedAppend, FeedChange, Installation } from '../../store/stores.ts';
import {
  NOTHING_PENDING,
  pendingRelationships,
  pendingSightings,
  type RepublishReason,
  revokeRelationships,
} from './pending-objects.ts';
import { type ReferencedObjects, referencedObjects } from './referenced-objects.ts';
import { type PublishedIndicator, renderIndicator } from './stix-indicator.ts';
import { indicatorStixId, type RenderContext, stixContext } from './stix-object.ts';
import { markingRefs } from './tlp-markings.ts';

/** What is due, and what the record has to remember of it. */
export interface Rendered {
  /** In the order to append them in: references point backwards. */
  readonly changes: readonly FeedChange[];
  readonly feed: FeedState | undefined;
}

export interface RenderOptions {
  readonly installation: Installation;
  /** Those in use when something is rendered. */
  readonly collections: () => readonly DeclaredCollection[];
  /** Whether markings of TLP 1 are named beside those of TLP 2. */
  readonly withTlp1: boolean;
}

/**
 * The pipeline's port `RenderStix`, for one installation. A RAW indicator has no objects: it is not intelligence yet.
 * @param changed whether something material changed since the indicator was published.
 */
export function createRenderStix({
  installation,
  collections,
  withTlp1,
}: RenderOptions): (record: IndicatorRecord, changed: boolean) => Rendered {
  const context: RenderContext = {
    ...stixContext(installation.secret),
    secret: installation.secret,
    createdAt: installation.createdAt,
    markingRefs: markingRefs(withTlp1),
  };
  const shared = referencedObjects(context);

  return (record, changed) => {
    const { feed, revokedAt } = record;
    const indicator = marked(record.indicator);
    if (!isPublished(indicator)) return { changes: [], feed };
    if (revokedAt !== undefined) return renderRevoked(context, shared, indicator, feed);
    return renderCurrent(context, shared, indicator, feed, changed, collections());
  };
}

function renderCurrent(
  context: RenderContext,
  shared: ReferencedObjects,
  indicator: PublishedIndicator,
  feed: FeedState | undefined,
  changed: boolean,
  declared: readonly DeclaredCollection[],
): Rendered {
  const joined = changed ? collectionsOf(indicator, declared) : [];
  const collections = [...new Set([...(feed?.collections ?? []), ...joined])];
  const move = republishReason(indicator, feed, collections);
  // While only scored, an indicator is about to get its next version: what refers to it comes after that one.
  const [relationships, sightings] =
    indicator.state === 'SCORED'
      ? [NOTHING_PENDING, NOTHING_PENDING]
      : [
          pendingRelationships(context, shared, indicator, feed, move),
          pendingSightings(context, shared, indicator, feed, move),
        ];
  if (!changed && relationships.entries.length === 0 && sightings.entries.length === 0) {
    return { changes: [], feed };
  }
  return {
    changes: [
      ...relationships.references,
      ...sightings.references,
      ...(changed ? [indicatorEntry(context, indicator, joined, false)] : []),
      ...relationships.entries,
      ...sightings.entries,
    ],
    feed: {
      tlp: indicator.tlp,
      collections,
      relationships: relationships.known,
      sightings: sightings.known,
      day: dayOf(indicator.lastSeen),
      revoked: false,
    },
  };
}

/** @param collections those it was published in, and those it matches now. */
function republishReason(
  indicator: Indicator,
  feed: FeedState | undefined,
  collections: readonly string[],
): RepublishReason | undefined {
  if (feed?.tlp !== indicator.tlp) return 'marking';
  return collections.length > feed.collections.length ? 'collections' : undefined;
}

/**
 * The last versions, revoked (STIX 2.1 §3.6): of the indicator and of what was concluded from it. What was seen was
 * seen. A marking that is raised afterwards governs them without another version.
 */
function renderRevoked(
  context: RenderContext,
  shared: ReferencedObjects,
  indicator: PublishedIndicator,
  feed: FeedState | undefined,
): Rendered {
  // Nobody was told of it, so nobody has to be told.
  if (feed === undefined || (feed.revoked && feed.tlp === indicator.tlp)) return { changes: [], feed };
  const { tlp } = indicator;
  if (feed.revoked) return { changes: [{ id: indicatorStixId(indicator.id), tlp }], feed: { ...feed, tlp } };
  const ended = revokeRelationships(context, shared, indicator, feed.relationships);
  return {
    changes: [...ended.references, indicatorEntry(context, indicator, [], true), ...ended.entries],
    feed: { ...feed, tlp, revoked: true },
  };
}

function indicatorEntry(
  context: RenderContext,
  indicator: PublishedIndicator,
  collections: readonly string[],
  revoked: boolean,
): FeedAppend {
  const { id, updatedAt, tlp } = indicator;
  return {
    id: indicatorStixId(id),
    type: 'indicator',
    version: toRfc3339(updatedAt),
    modified: updatedAt,
    tlp,
    object: renderIndicator(indicator, context, revoked),
    collections,
  };
}

/** Fails closed: what carries no marking is for the most trusted only, with all that is about it. */
function marked(indicator: Indicator): Indicator {
  return indicator.tlp === 'UNSPECIFIED' ? { ...indicator, tlp: 'RED' } : indicator;
}

function isPublished(indicator: Indicator): indicator is PublishedIndicator {
  const { state, type } = indicator;
  return state !== 'RAW' && state !== 'UNSPECIFIED' && type !== 'UNSPECIFIED';
}
