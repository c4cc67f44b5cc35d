// Which relationships and sightings of an indicator are published now, besides its own next version
// (docs/decisions/0015-when-a-sighting-is-published.md).

import type { FeedState, Indicator, Sighting } from '../../domain/indicator/indicator.ts';
import { DAILY_LIMIT } from '../../domain/indicator/sightings.ts';
import { dayOf, type Instant } from '../../domain/instant.ts';
import type { FeedAppend } from '../../store/feed.ts';
import type { ReferencedObjects } from './referenced-objects.ts';
import {
  relatedBy,
  relatedObjects,
  renderRelationship,
  renderSighting,
  sightingKey,
  stixCount,
} from './relationship-objects.ts';
import type { ViewContext } from './stix-object.ts';

/**
 * Why everything about an indicator is published again: its marking changed, it left the archive, or it matches another
 * collection. In the last case only the store knows whether the indicator joins with this version. A collection that was declared late
 * may contain it already.
 */
export type RepublishReason = 'marking' | 'return' | 'collections';

/** Pending objects of one kind, the objects to which they refer, and the state of this kind after publication. */
export interface Pending<Known> {
  readonly references: readonly FeedAppend[];
  readonly entries: readonly FeedAppend[];
  readonly known: Readonly<Record<string, Known>>;
}

export const NOTHING_PENDING: Pending<never> = { references: [], entries: [], known: {} };

/** New relationships, ended ones as revoked versions, and all others if everything is published again. */
export function pendingRelationships(
  context: ViewContext,
  shared: ReferencedObjects,
  indicator: Indicator,
  feed: FeedState | undefined,
  republish: RepublishReason | undefined,
): Pending<Instant> {
  const references: FeedAppend[] = [];
  const entries: FeedAppend[] = [];
  const ended = { ...feed?.relationships };
  const known: Record<string, Instant> = {};
  for (const related of relatedObjects(indicator, shared)) {
    const { key, target } = related;
    const before = ended[key];
    const createdAt = before ?? indicator.updatedAt;
    delete ended[key];
    known[key] = createdAt;
    if (before !== undefined && republish === undefined) continue;
    const entry = renderRelationship(context, indicator, related, createdAt, false);
    references.push(target);
    entries.push(
      before !== undefined && republish === 'collections' ? { ...entry, onlyToJoin: true } : entry,
    );
  }
  const revoked = revokeRelationships(context, shared, indicator, ended);
  return {
    references: [...references, ...revoked.references],
    entries: [...entries, ...revoked.entries],
    known,
  };
}

/** The last version of each relationship, revoked. */
export function revokeRelationships(
  context: ViewContext,
  shared: ReferencedObjects,
  indicator: Indicator,
  relationships: FeedState['relationships'],
): Pending<never> {
  const ended = Object.entries(relationships).map(([key, createdAt]) => {
    const related = relatedBy(key, indicator.tlp, shared);
    const entry = renderRelationship(context, indicator, related, createdAt, true);
    return { target: related.target, entry };
  });
  return {
    references: ended.map(({ target }) => target),
    entries: ended.map(({ entry }) => entry),
    known: {},
  };
}

/** Whether new versions of everything are needed. */
function isWhole(republish: RepublishReason | undefined): boolean {
  return republish === 'marking' || republish === 'return';
}

type PublishedSighting = FeedState['sightings'][string];

export function pendingSightings(
  context: ViewContext,
  shared: ReferencedObjects,
  indicator: Indicator,
  feed: FeedState | undefined,
  republish: RepublishReason | undefined,
): Pending<PublishedSighting> {
  const references: FeedAppend[] = [];
  const entries: FeedAppend[] = [];
  const known: Record<string, PublishedSighting> = {};
  const today = dayOf(indicator.lastSeen);
  // Skip the folded sightings. Their days were published one by one.
  for (const sighting of indicator.sightings.slice(0, DAILY_LIMIT)) {
    const key = sightingKey(sighting);
    const before = feed?.sightings[key];
    const count = stixCount(sighting);
    const day = dayOf(sighting.observedAt);
    const isOver = feed !== undefined && day >= feed.day && day < today;
    const isUnchanged = before !== undefined && !isWhole(republish) && !hasNews(count, before[1], isOver);
    const createdAt = before?.[0] ?? indicator.updatedAt;
    // A sighting that is not published keeps its old count. If the store publishes it to join a collection, the final
    // count of its day may be published twice.
    known[key] = isUnchanged ? before : [createdAt, count];
    if (isUnchanged && republish === undefined) continue;
    const source = sourceOf(indicator, sighting, shared);
    const entry = renderSighting(context, indicator, sighting, source, createdAt);
    references.push(source);
    entries.push(isUnchanged ? { ...entry, onlyToJoin: true } : entry);
  }
  return { references, entries, known };
}

/** True for a doubled count and for the final count of a day. One sighting has at most 31 versions. */
function hasNews(count: number, published: number, isOver: boolean): boolean {
  return Math.clz32(count) < Math.clz32(published) || (isOver && count !== published);
}

function sourceOf(indicator: Indicator, { sourceId }: Sighting, shared: ReferencedObjects): FeedAppend {
  const source = indicator.sources.find(({ id }) => id === sourceId);
  return shared.source(sourceId, source?.name ?? '', indicator.tlp);
}
