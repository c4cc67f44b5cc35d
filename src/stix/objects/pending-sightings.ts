// Which sightings of an indicator are published now (docs/decisions/0015-when-a-sighting-is-published.md).

import type { FeedMemory, Indicator, Sighting } from '../../domain/indicator/indicator.ts';
import { DAILY_LIMIT } from '../../domain/indicator/sightings.ts';
import { dayOf } from '../../domain/instant.ts';
import type { FeedAppend } from '../../store/stores.ts';
import type { Due, Move } from './pending-objects.ts';
import type { SharedObjects } from './shared-objects.ts';
import type { RenderContext } from './stix-object.ts';
import { renderSighting, sightingKey, stixCount } from './stix-sighting.ts';

type Known = FeedMemory['sightings'][string];

export function dueSightings(
  context: RenderContext,
  shared: SharedObjects,
  indicator: Indicator,
  feed: FeedMemory | undefined,
  move: Move | undefined,
): Due<Known> {
  const references: FeedAppend[] = [];
  const entries: FeedAppend[] = [];
  const known: Record<string, Known> = {};
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

function sourceOf(indicator: Indicator, { sourceId }: Sighting, shared: SharedObjects): FeedAppend {
  const source = indicator.sources.find(({ id }) => id === sourceId);
  return shared.source(sourceId, source?.name ?? '', indicator.tlp);
}
