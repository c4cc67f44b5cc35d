// Results of a search, page after page, and the counts beside them. A newer request cancels an older one.

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { SearchIndicatorsRequest } from '../../api/contract.ts';
import { aggregateIndicators, lookupIndicators, searchIndicators } from '../../api/indicators.ts';
import { FACETS } from './facets.ts';
import { rowOf } from './row.ts';

/** The first page is on the screen before the second is asked for. */
const FIRST_PAGE = 50;
const NEXT_PAGE = 250;
/** Rows that stay in memory. */
export const MOST_ROWS = 10_000;
/** Values of each facet: at first, and when somebody wants more. */
export const FACET_VALUES = { few: 8, many: 60 } as const;

export function useResults(request: SearchIndicatorsRequest, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['search', request],
    enabled,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const pageSize = pageParam === '' ? FIRST_PAGE : NEXT_PAGE;
      const { indicators, pageInfo } = await searchIndicators(
        { ...request, pagination: { pageSize, pageToken: pageParam } },
        { signal },
      );
      return { rows: indicators.map(rowOf), next: pageInfo.nextPageToken, total: pageInfo.totalCount };
    },
    getNextPageParam: ({ next }, pages) => {
      const loaded = pages.reduce((all, { rows }) => all + rows.length, 0);
      return next === '' || loaded >= MOST_ROWS ? undefined : next;
    },
    placeholderData: keepPreviousData,
    // A walk is of one moment. What changes meanwhile shows with the next search.
    refetchOnWindowFocus: false,
  });
}

export function useCounts({ query, filter }: SearchIndicatorsRequest, top: number, enabled: boolean) {
  const request = {
    ...(query === undefined ? {} : { query }),
    ...(filter === undefined ? {} : { filter }),
    facets: FACETS.map(({ facet }) => facet),
    top,
    histogramTime: 'HISTOGRAM_TIME_LAST_SEEN',
    histogramBucket: 'USAGE_BUCKET_DAY',
  } as const;
  return useQuery({
    queryKey: ['counts', request],
    enabled,
    queryFn: ({ signal }) => aggregateIndicators(request, { signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
}

export function useLookup(values: readonly string[], enabled: boolean) {
  return useQuery({
    queryKey: ['lookup', values],
    enabled: enabled && values.length > 0,
    queryFn: ({ signal }) => lookupIndicators(values, { signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}
