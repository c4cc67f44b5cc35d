// Renders the STIX objects that are published about one indicator.
//
// Each view of an indicator is rendered by itself, for its own audience. The pipeline decides whether the indicator
// itself gets a new version. A relationship is published when it begins or ends. A sighting is published when it is new, when its count has doubled and when its day is over. Both are published
// again when the marking or the collections of the indicator change, which they share
// (docs/decisions/0015-when-a-sighting-is-published.md).

import type { Audience } from '../../domain/audience.ts';
import { collectionsOf, type DeclaredCollection } from '../../domain/collection.ts';
import type { FeedState, Indicator, IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { dayOf, toRfc3339 } from '../../domain/instant.ts';
import type { FeedAppend, FeedChange } from '../../store/feed.ts';
import type { Installation } from '../../store/stores.ts';
import {
  NOTHING_PENDING,
  pendingRelationships,
  pendingSightings,
  type RepublishReason,
  revokeRelationships,
} from './pending-objects.ts';
import { type ReferencedObjects, referencedObjects } from './referenced-objects.ts';
import { type End, type PublishedIndicator, renderIndicator } from './stix-indicator.ts';
import { indicatorStixId, type RenderContext, stixContext, type ViewContext } from './stix-object.ts';
import { markingRefs } from './tlp-markings.ts';

/** The changes to publish, and the state to keep in the record. */
export interface Rendered {
  /** In the order in which to append them, so that references point backwards. */
  readonly changes: readonly FeedChange[];
  readonly feed: FeedState | undefined;
}

export interface RenderOptions {
  readonly installation: Installation;
  /** The collections in use at the time of rendering. */
  readonly collections: () => readonly DeclaredCollection[];
  /** Whether objects refer to the markings of TLP 1 as well as those of TLP 2. */
  readonly withTlp1: boolean;
}

/**
 * The `RenderStix` port of the pipeline, for one installation. A RAW indicator is not scored yet and has no objects.
 * @param changed whether something material changed since the last publication.
 * @param audience of the view.
 */
export function createRenderStix({
  installation,
  collections,
  withTlp1,
}: RenderOptions): (record: IndicatorRecord, changed: boolean, audience: Audience) => Rendered {
  const installed: RenderContext = {
    ...stixContext(installation.secret),
    secret: installation.secret,
    createdAt: installation.createdAt,
    markingRefs: markingRefs(withTlp1),
  };
  const shared = referencedObjects(installed);

  return (record, changed, audience) => {
    const { feed, revokedAt, archivedAt, neverBlock } = record;
    const indicator = withMarking(record.indicator);
    if (!isPublished(indicator)) return { changes: [], feed };
    const context = { ...installed, audience };
    if (revokedAt !== undefined) return renderRevoked(context, shared, indicator, feed);
    if (archivedAt !== undefined) return renderEnded(context, indicator, feed, 'archived');
    if (neverBlock !== undefined) return renderEnded(context, indicator, feed, 'withheld');
    return renderCurrent(context, shared, indicator, feed, changed || isBack(feed), collections());
  };
}

function renderCurrent(
  context: ViewContext,
  shared: ReferencedObjects,
  indicator: PublishedIndicator,
  feed: FeedState | undefined,
  changed: boolean,
  declared: readonly DeclaredCollection[],
): Rendered {
  const joined = changed ? collectionsOf(indicator, declared) : [];
  const collections = [...new Set([...(feed?.collections ?? []), ...joined])];
  const republish = republishReason(indicator, feed, collections);
  // A SCORED indicator is about to get its next version. Its relationships and sightings follow that one.
  const [relationships, sightings] =
    indicator.state === 'SCORED'
      ? [NOTHING_PENDING, NOTHING_PENDING]
      : [
          pendingRelationships(context, shared, indicator, feed, republish),
          pendingSightings(context, shared, indicator, feed, republish),
        ];
  if (!changed && relationships.entries.length === 0 && sightings.entries.length === 0) {
    return { changes: [], feed };
  }
  return {
    changes: [
      ...relationships.references,
      ...sightings.references,
      ...(changed ? [indicatorEntry(context, indicator, isBack(feed) ? collections : joined)] : []),
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

/** @param collections those that contain the indicator, and those that it matches now. */
function republishReason(
  indicator: Indicator,
  feed: FeedState | undefined,
  collections: readonly string[],
): RepublishReason | undefined {
  if (feed?.tlp !== indicator.tlp) return 'marking';
  if (isBack(feed)) return 'return';
  return collections.length > feed.collections.length ? 'collections' : undefined;
}

/** Whether the feed has lost everything about the indicator but its last version: it was archived, or withheld. */
function isBack(feed: FeedState | undefined): boolean {
  return feed?.archived === true;
}

/**
 * The version that ends the validity of the indicator. It is not revoked, because a revoked object has no later versions
 * (STIX 2.1 §3.6), and the indicator may come back. Everything else about it leaves the feed of its readers.
 */
function renderEnded(
  context: ViewContext,
  indicator: PublishedIndicator,
  feed: FeedState | undefined,
  end: 'archived' | 'withheld',
): Rendered {
  // Nobody needs to be told of what was never published, or has ended already.
  if (feed === undefined || (end === 'withheld' && isBack(feed))) return { changes: [], feed };
  const last = indicatorEntry(context, indicator, [], end);
  return {
    changes: [last, { id: last.id, from: context.audience }],
    feed: { ...feed, tlp: indicator.tlp, archived: true },
  };
}

/**
 * The last versions of the indicator and its relationships, revoked (STIX 2.1 §3.6). Its sightings remain valid. Links with
 * other indicators leave the feed: what they say of the other end was said by reports about this one.
 */
function renderRevoked(
  context: ViewContext,
  shared: ReferencedObjects,
  indicator: PublishedIndicator,
  feed: FeedState | undefined,
): Rendered {
  // It was never published, so there is nothing to revoke.
  if (feed === undefined || feed.revoked) return { changes: [], feed };
  const revoked = revokeRelationships(context, shared, indicator, feed.relationships);
  const last = indicatorEntry(context, indicator, [], 'revoked');
  return {
    changes: [
      ...revoked.references,
      last,
      ...revoked.entries,
      { id: last.id, from: context.audience, removes: 'links' },
    ],
    feed: { ...feed, tlp: indicator.tlp, revoked: true },
  };
}

function indicatorEntry(
  context: ViewContext,
  indicator: PublishedIndicator,
  collections: readonly string[],
  end?: End,
): FeedAppend {
  const { id, updatedAt } = indicator;
  return {
    id: indicatorStixId(id),
    type: 'indicator',
    version: toRfc3339(updatedAt),
    modified: updatedAt,
    audience: context.audience,
    object: renderIndicator(indicator, context, end),
    collections,
  };
}

/** Fails closed: an indicator without a marking is RED, and so are its relationships and sightings. */
function withMarking(indicator: Indicator): Indicator {
  return indicator.tlp === 'UNSPECIFIED' ? { ...indicator, tlp: 'RED' } : indicator;
}

function isPublished(indicator: Indicator): indicator is PublishedIndicator {
  const { state, type } = indicator;
  return state !== 'RAW' && state !== 'UNSPECIFIED' && type !== 'UNSPECIFIED';
}
