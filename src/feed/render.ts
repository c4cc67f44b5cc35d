// The pipeline's way into the feed: which STIX objects are published about one indicator, and when again.
//
// The pipeline says when the indicator itself has changed. Relationships and sightings are published when they are new,
// when they ended, when a count has doubled or a day is over, and when the marking or the collections of the indicator
// changed, which they share (docs/decisions/0015-when-a-sighting-is-published.md).

import type { FeedMemory, Indicator, IndicatorRecord, Sighting } from '../domain/indicator.ts';
import { dayOf, toRfc3339 } from '../domain/instant.ts';
import { DAILY_LIMIT } from '../domain/sightings.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { FeedAppend, FeedRaise, Installation } from '../store/stores.ts';
import { collectionsOf, type DeclaredCollection } from './collections.ts';
import { type SharedObjects, sharedObjects } from './shared-objects.ts';
import { indicatorStixId, stixContext } from './stix-ids.ts';
import { type PublishedIndicator, renderIndicator } from './stix-indicator.ts';
import type { RenderContext } from './stix-object.ts';
import { relatedObjects, renderRelationship } from './stix-relationship.ts';
import { renderSighting, sightingKey, stixCount } from './stix-sighting.ts';
import { markingRefs } from './tlp-markings.ts';

/** What is to be appended, and what the record has to remember of it. */
export interface Rendered {
  /** In the order to append them in: references point backwards. */
  readonly entries: readonly FeedAppend[];
  /** Instead of entries, where there may be none. */
  readonly raise?: FeedRaise;
  readonly feed: FeedMemory | undefined;
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
  const shared = sharedObjects(context);

  return (record, changed) => {
    const { feed, revokedAt } = record;
    const indicator = marked(record.indicator);
    if (!isPublished(indicator)) return { entries: [], feed };
    if (revokedAt !== undefined) return renderRevoked(context, shared, indicator, feed);
    return renderCurrent(context, shared, indicator, feed, changed, collections());
  };
}

function renderCurrent(
  context: RenderContext,
  shared: SharedObjects,
  indicator: PublishedIndicator,
  feed: FeedMemory | undefined,
  changed: boolean,
  declared: readonly DeclaredCollection[],
): Rendered {
  const joined = changed ? collectionsOf(indicator, declared) : [];
  const collections = [...new Set([...(feed?.collections ?? []), ...joined])];
  const moved = feed?.tlp !== indicator.tlp || collections.length > feed.collections.length;
  // While only scored, an indicator is about to get its next version: what refers to it comes after that one.
  const [relationships, sightings] =
    indicator.state === 'SCORED'
      ? [NOTHING_DUE, NOTHING_DUE]
      : [
          renderRelationships(context, shared, indicator, feed, moved),
          renderSightings(context, shared, indicator, feed, moved),
        ];
  if (!changed && relationships.entries.length === 0 && sightings.entries.length === 0) {
    return { entries: [], feed };
  }
  return {
    entries: [
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

/** Objects of one kind that are due, what they refer to, and all that is then known of this kind. */
interface Due<Known> {
  readonly references: readonly FeedAppend[];
  readonly entries: readonly FeedAppend[];
  readonly known: Readonly<Record<string, Known>>;
}

const NOTHING_DUE: Due<never> = { references: [], entries: [], known: {} };

/** Also ends the relationships that no longer hold. */
function renderRelationships(
  context: RenderContext,
  shared: SharedObjects,
  indicator: Indicator,
  feed: FeedMemory | undefined,
  moved: boolean,
): Due<FeedMemory['relationships'][string]> {
  const references: FeedAppend[] = [];
  const entries: FeedAppend[] = [];
  const ended = { ...feed?.relationships };
  const known: Record<string, number> = {};
  for (const related of relatedObjects(indicator, shared)) {
    const before = ended[related.key];
    const createdAt = before ?? indicator.updatedAt;
    delete ended[related.key];
    known[related.key] = createdAt;
    if (before !== undefined && !moved) continue;
    references.push(related.target);
    entries.push(renderRelationship(context, indicator, related, createdAt, false));
  }
  for (const [key, createdAt] of Object.entries(ended)) {
    const target = targetOf(key, indicator.tlp, shared);
    references.push(target);
    entries.push(renderRelationship(context, indicator, { key, target }, createdAt, true));
  }
  return { references, entries, known };
}

/** What the target of a known relationship is at a marking. */
function targetOf(key: string, tlp: TlpMarking, shared: SharedObjects): FeedAppend {
  const name = key.slice(key.indexOf(':') + 1);
  if (key.startsWith('malware:')) return shared.malware(name, tlp);
  return key.startsWith('location:') ? shared.country(name, tlp) : shared.attackPattern(name, tlp);
}

function renderSightings(
  context: RenderContext,
  shared: SharedObjects,
  indicator: Indicator,
  feed: FeedMemory | undefined,
  moved: boolean,
): Due<FeedMemory['sightings'][string]> {
  const references: FeedAppend[] = [];
  const entries: FeedAppend[] = [];
  const known: Record<string, FeedMemory['sightings'][string]> = {};
  const today = dayOf(indicator.lastSeen);
  // Those behind the daily ones are sums of days that were published one by one.
  for (const sighting of indicator.sightings.slice(0, DAILY_LIMIT)) {
    const key = sightingKey(sighting);
    const before = feed?.sightings[key];
    const day = dayOf(sighting.observedAt);
    const isOver = feed !== undefined && day >= feed.day && day < today;
    if (before !== undefined && !moved && !isDue(stixCount(sighting), before[1], isOver)) {
      known[key] = before;
      continue;
    }
    const createdAt = before?.[0] ?? indicator.updatedAt;
    known[key] = [createdAt, stixCount(sighting)];
    const source = sourceOf(indicator, sighting, shared);
    references.push(source);
    entries.push(renderSighting(context, indicator, sighting, source, createdAt));
  }
  return { references, entries, known };
}

/** A doubled count, and the final one of a day: at most 31 versions of one sighting, whatever a scanner does. */
function isDue(count: number, published: number, isOver: boolean): boolean {
  return Math.clz32(count) < Math.clz32(published) || (isOver && count !== published);
}

function sourceOf(indicator: Indicator, { sourceId }: Sighting, shared: SharedObjects): FeedAppend {
  const source = indicator.sources.find(({ id }) => id === sourceId);
  return shared.source(sourceId, source?.name ?? '', indicator.tlp);
}

/**
 * The last versions, revoked (STIX 2.1 §3.6): of the indicator and of what was concluded from it. What was seen was
 * seen. A marking that is raised afterwards governs them without another version.
 */
function renderRevoked(
  context: RenderContext,
  shared: SharedObjects,
  indicator: PublishedIndicator,
  feed: FeedMemory | undefined,
): Rendered {
  // Nobody was told of it, so nobody has to be told.
  if (feed === undefined || (feed.revoked && feed.tlp === indicator.tlp)) return { entries: [], feed };
  const { tlp } = indicator;
  if (feed.revoked) {
    return { entries: [], raise: { id: indicatorStixId(indicator.id), tlp }, feed: { ...feed, tlp } };
  }
  const ended = Object.entries(feed.relationships).map(([key, createdAt]) => {
    const target = targetOf(key, indicator.tlp, shared);
    return { target, entry: renderRelationship(context, indicator, { key, target }, createdAt, true) };
  });
  return {
    entries: [
      ...ended.map(({ target }) => target),
      indicatorEntry(context, indicator, [], true),
      ...ended.map(({ entry }) => entry),
    ],
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
