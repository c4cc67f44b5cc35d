// Which relationships and sightings of an indicator are published now, besides its own next version
// (docs/decisions/0015-when-a-sighting-is-published.md).

import type { FeedState, Indicator, Sighting } from '../../domain/indicator/indicator.ts';
import { DAILY_LIMIT } from '../../domain/indicator/sightings.ts';
import { dayOf, type Instant } from '../../domain/instant.ts';
import type { FeedAppend } from '../../store/stores.ts';
import type { ReferencedObjects } from './referenced-objects.ts';
import type { RenderContext } from './stix-object.ts';
import { relatedBy, relatedObjects, renderRelationship } from './stix-relationship.ts';
import { renderSighting, sightingKey, stixCount } from './stix-sighting.ts';

/**
 * What makes everything about an indicator due at once: its marking is another one, or it came to match a collection.
 * In the latter case only the store knows whether it joins with this version: a collection that was declared late has
 * taken it in already.
 */
export type RepublishReason = 'marking' | 'collections';

/** Objects of one kind that are due, what they refer to, and all that is then known of this kind. */
export interface Pending<Known> {
  readonly references: readonly FeedAppend[];
  readonly entries: readonly FeedAppend[];
  readonly known: Readonly<Record<string, Known>>;
}

export const NOTHING_PENDING: Pending<never> = { references: [], entries: [], known: {} };

/** Also ends the relationships that no longer hold. */
export function pendingRelationships(
  context: RenderContext,
  shared: ReferencedObjects,
  indicator: Indicator,
  feed: FeedState | undefined,
  move: RepublishReason | undefined,
): Pending<Instant> {
  const references: FeedAppend[] = [];
  const entries: FeedAppend[] = [];
  const over = { ...feed?.relationships };
  const known: Record<string, Instant> = {};
  for (const related of relatedObjects(indicator, shared)) {
    const { key, target } = related;
    const before = over[key];
    const createdAt = before ?? indicator.updatedAt;
    delete over[key];
    known[key] = createdAt;
    if (before !== undefined && move === undefined) continue;
    const entry = renderRelationship(context, indicator, related, createdAt, false);
    references.push(target);
    entries.push(before !== undefined && move === 'collections' ? { ...entry, onlyToJoin: true } : entry);
  }
  const ended = revokeRelationships(context, shared, indicator, over);
  return {
    references: [...references, ...ended.references],
    entries: [...entries, ...ended.entries],
    known,
  };
}

/** The last version of each: revoked. */
export function revokeRelationships(
  context: RenderContext,
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

type PublishedSighting = FeedState['sightings'][string];

export function pendingSightings(
  context: RenderContext,
  shared: ReferencedObjects,
  indicator: Indicator,
  feed: FeedState | undefined,
  move: RepublishReason | undefined,
): Pending<PublishedSighting> {
  const references: FeedAppend[] = [];
  const entries: FeedAppend[] = [];
  const known: Record<string, PublishedSighting> = {};
  const today = dayOf(indicator.lastSeen);
  // Those behind the daily ones are sums of days that were published one by one.
  for (const sighting of indicator.sightings.slice(0, DAILY_LIMIT)) {
    const key = sightingKey(sighting);
    const before = feed?.sightings[key];
    const count = stixCount(sighting);
    const day = dayOf(sighting.observedAt);
    const isOver = feed !== undefined && day >= feed.day && day < today;
    const holds = before !== undefined && move !== 'marking' && !hasNews(count, before[1], isOver);
    const createdAt = before?.[0] ?? indicator.updatedAt;
    // One that may be left out is remembered as it was. If it is not, the final count of its day may come twice.
    known[key] = holds ? before : [createdAt, count];
    if (holds && move === undefined) continue;
    const source = sourceOf(indicator, sighting, shared);
    const entry = renderSighting(context, indicator, sighting, source, createdAt);
    references.push(source);
    entries.push(holds ? { ...entry, onlyToJoin: true } : entry);
  }
  return { references, entries, known };
}

/** A doubled count, and the final one of a day: at most 31 versions of one sighting, whatever a scanner does. */
function hasNews(count: number, published: number, isOver: boolean): boolean {
  return Math.clz32(count) < Math.clz32(published) || (isOver && count !== published);
}

function sourceOf(indicator: Indicator, { sourceId }: Sighting, shared: ReferencedObjects): FeedAppend {
  const source = indicator.sources.find(({ id }) => id === sourceId);
  return shared.source(sourceId, source?.name ?? '', indicator.tlp);
}
