// The way of one view from its merged record to the feed: scored, enriched and published.

import type { Audience } from '../domain/audience.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import type { Instant } from '../domain/instant.ts';
import { createNeverBlock, type NeverBlock, protectedBy } from '../domain/never-block/never-block.ts';
import type { FeedChange } from '../store/feed.ts';
import { type Enriched, enrich } from './enrich.ts';
import type { Enricher } from './enricher.ts';
import { publish, type RenderStix } from './publish.ts';
import { score } from './score.ts';

export interface ProcessParts {
  readonly enrichers: readonly Enricher[];
  readonly renderStix: RenderStix;
  /** What never gets into the feed. Default: everything may. */
  readonly neverBlock?: NeverBlock;
  /** How long one enricher may take, in milliseconds. */
  readonly enricherTimeoutMs: number;
}

export interface Processed {
  /** With the state of its publication. */
  readonly record: IndicatorRecord;
  /** To append to the feed. A new indicator is published as SCORED and as ENRICHED. */
  readonly changes: readonly FeedChange[];
  readonly outcome: Enriched['outcome'];
}

const NOTHING_PROTECTED = createNeverBlock([]);

/** @param audience the readers of the view. */
export async function processView(
  merged: IndicatorRecord,
  audience: Audience,
  at: Instant,
  { enrichers, renderStix, enricherTimeoutMs, neverBlock = NOTHING_PROTECTED }: ProcessParts,
): Promise<Processed> {
  const scored = protectedBy(score(merged, at), neverBlock);
  const first =
    merged.indicator.state === 'RAW'
      ? publish(scored, audience, renderStix)
      : { record: scored, changes: [] };
  const enriched = await enrich(first.record, enrichers, { at, timeoutMs: enricherTimeoutMs });
  const { record, changes } = publish(enriched.record, audience, renderStix);
  return { record, changes: [...first.changes, ...changes], outcome: enriched.outcome };
}
