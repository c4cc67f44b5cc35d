// Which relationships of an indicator are published now: those that are new, that ended, or that move with it.

import type { FeedMemory, Indicator } from '../../domain/indicator/indicator.ts';
import type { Instant } from '../../domain/instant.ts';
import type { FeedAppend } from '../../store/stores.ts';
import type { Due, Move } from './pending-objects.ts';
import type { SharedObjects } from './shared-objects.ts';
import type { RenderContext } from './stix-object.ts';
import { relatedBy, relatedObjects, renderRelationship } from './stix-relationship.ts';

type Known = FeedMemory['relationships'];

/** Also ends the relationships that no longer hold. */
export function dueRelationships(
  context: RenderContext,
  shared: SharedObjects,
  indicator: Indicator,
  feed: FeedMemory | undefined,
  move: Move | undefined,
): Due<Instant> {
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
  const ended = endRelationships(context, shared, indicator, over);
  return {
    references: [...references, ...ended.references],
    entries: [...entries, ...ended.entries],
    known,
  };
}

/** The last version of each: revoked. */
export function endRelationships(
  context: RenderContext,
  shared: SharedObjects,
  indicator: Indicator,
  relationships: Known,
): Due<never> {
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
