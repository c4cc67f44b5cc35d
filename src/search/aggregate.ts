// Counts of the indicators that match a search, by their properties and over time.
//
// They are counted from the documents that the search finds, so what the caller may not see is not counted. The number of
// documents has a bound.

import { setImmediate } from 'node:timers/promises';
import type { IndicatorFilter } from '../domain/filter.ts';
import type { Instant } from '../domain/instant.ts';
import { bucketStart, type UsageBucket } from '../domain/usage-bucket.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { IndicatorReader, SearchCriteria, Seq } from '../store/indicators.ts';
import { createBoundedReads, type SlowReads } from './bounded-reads.ts';
import {
  type CountedDocument,
  FACETS,
  type Facet,
  type HistogramTime,
  TIME_OF,
  VALUES_OF,
} from './facets.ts';
import { COUNT_BOUND, parseTerms } from './search.ts';

const DEFAULT_TOP = 20;
const MAX_TOP = 100;
/** Documents that are read in one turn of the event loop: some milliseconds. */
const BATCH = 200;

export interface AggregateRequest {
  readonly filter: IndicatorFilter;
  readonly query: string;
  /** Empty for all. */
  readonly facets: readonly Facet[];
  /** 0 selects the default. A value above the maximum counts as the maximum. */
  readonly top: number;
  readonly histogram?: { readonly time: HistogramTime; readonly bucket: UsageBucket };
  readonly ceiling: TlpMarking;
  /** Callers take turns at slow searches. */
  readonly caller?: string;
}

export interface Aggregate {
  readonly counted: number;
  /** There are more matches than COUNT_BOUND. The newest ones were counted. */
  readonly atLeast: boolean;
  readonly facets: readonly FacetCounts[];
  readonly histogram: readonly { readonly start: Instant; readonly count: number }[];
}

interface FacetCounts {
  readonly facet: Facet;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  readonly omittedValueCount: number;
}

export type AggregateIndicators = (request: AggregateRequest) => Promise<Aggregate>;

/**
 * @param slow reads what is too slow for this thread; default: nothing is too slow.
 * @throws ServiceError `invalid_argument` for a query beyond the limits.
 */
export function createAggregate(
  indicators: Pick<IndicatorReader, 'blocks' | 'count'>,
  slow?: SlowReads,
): AggregateIndicators {
  const reads = createBoundedReads(indicators, slow);
  return async ({ filter, query, facets, top, histogram, ceiling, caller = '' }) => {
    const criteria: SearchCriteria = { filter, terms: parseTerms(query), ceiling };
    const counts = (facets.length === 0 ? ALL : [...new Set(facets)]).map((facet) => ({
      facet,
      byValue: new Map<string, number>(),
    }));
    const byStart = new Map<Instant, number>();
    let counted = 0;
    let last: Seq | undefined;
    let more: boolean;
    do {
      const page = await reads.blocks(caller, criteria, Math.min(BATCH, COUNT_BOUND - counted), last);
      for (const read of page.blocks.flatMap(documentsIn)) {
        for (const { facet, byValue } of counts)
          for (const value of VALUES_OF[facet](read)) byValue.set(value, (byValue.get(value) ?? 0) + 1);
        if (histogram === undefined) continue;
        const start = bucketStart(histogram.bucket, Date.parse(TIME_OF[histogram.time](read)));
        byStart.set(start, (byStart.get(start) ?? 0) + 1);
      }
      counted += page.count;
      last = page.last?.seq;
      more = page.more;
      if (more) await setImmediate();
    } while (more && counted < COUNT_BOUND);
    const shown = top === 0 ? DEFAULT_TOP : Math.min(top, MAX_TOP);
    return {
      counted,
      atLeast: more,
      facets: counts.map(({ facet, byValue }) => mostFrequent(facet, byValue, shown)),
      histogram: [...byStart].map(([start, count]) => ({ start, count })).sort((a, b) => a.start - b.start),
    };
  };
}

function documentsIn(block: Uint8Array): CountedDocument[] {
  return JSON.parse(`[${Buffer.from(block.buffer, block.byteOffset, block.length)}]`);
}

const ALL = FACETS.filter((facet) => facet !== 'UNSPECIFIED');

function mostFrequent(facet: Facet, byValue: ReadonlyMap<string, number>, top: number): FacetCounts {
  const values = [...byValue]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return { facet, values: values.slice(0, top), omittedValueCount: Math.max(0, values.length - top) };
}
