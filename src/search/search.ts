// Search over indicators, page by page.

import { type FieldViolation, invalidArgument } from '../domain/errors.ts';
import type { IndicatorFilter } from '../domain/filter.ts';
import { parseTextQuery } from '../domain/text-query.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { IndicatorReader, OrderKey, SearchCriteria, SearchPlace } from '../store/indicators.ts';
import { createBoundedReads, type SlowReads } from './bounded-reads.ts';
import { createPageTokens, type WalkPosition } from './page-token.ts';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1_000;
/** Totals are exact up to this bound. Counting further would take longer than the page. */
export const COUNT_BOUND = 10_000;
const MAX_QUERY_LENGTH = 1_000;
const MAX_TERMS = 20;
const QUERY_VIOLATIONS: readonly FieldViolation[] = [
  { field: 'query', description: `at most ${MAX_QUERY_LENGTH} characters and ${MAX_TERMS} terms` },
];

export interface SearchRequest {
  readonly filter: IndicatorFilter;
  /** Free text; empty matches all. */
  readonly query: string;
  /** 0 selects the default. A value above the maximum counts as the maximum. */
  readonly pageSize: number;
  /** Empty for the first page. */
  readonly pageToken: string;
  readonly ceiling: TlpMarking;
  /** Absent for the order of creation. */
  readonly orderBy?: OrderKey;
  /** Slow searches take turns by caller. Default: all searches are of one caller. */
  readonly caller?: string;
}

export interface SearchPage {
  /** ProtoJSON documents in UTF-8, joined by commas. */
  readonly blocks: readonly Uint8Array[];
  /** The number of documents. */
  readonly count: number;
  /** Empty on the last page. */
  readonly nextPageToken: string;
  /**
   * When the walk began, so that all its pages have the same. Absent when there were more matches than COUNT_BOUND, or when
   * counting them took too long.
   */
  readonly totalCount?: number;
}

export type Search = (request: SearchRequest) => Promise<SearchPage>;

/**
 * @param slow reads what is too slow for this thread; default: nothing is too slow.
 * @throws ServiceError `invalid_argument` for a page token of another search or a query beyond the limits.
 */
export function createSearch(
  indicators: Pick<IndicatorReader, 'blocks' | 'count'>,
  installationSecret: Buffer,
  slow?: SlowReads,
): Search {
  const reads = createBoundedReads(indicators, slow);
  const tokens = createPageTokens(installationSecret);
  // If the first page is also the last, its length is the total.
  const countAll = async (caller: string, criteria: SearchCriteria, found: number, more: boolean) =>
    more ? await reads.count(caller, criteria, COUNT_BOUND) : found;

  return async (request) => {
    const { orderBy: by } = request;
    const criteria: SearchCriteria = {
      filter: request.filter,
      terms: parseTerms(request.query),
      ceiling: request.ceiling,
      ...(by === undefined ? {} : { order: { by } }),
    };
    const limit = request.pageSize === 0 ? DEFAULT_PAGE_SIZE : Math.min(request.pageSize, MAX_PAGE_SIZE);
    const walked = request.pageToken === '' ? undefined : tokens.open(request.pageToken, criteria);
    const { caller = '' } = request;
    const { blocks, count, last, more } = await reads.blocks(
      caller,
      behind(criteria, walked),
      limit,
      walked?.last,
    );
    const totalCount =
      walked === undefined ? await countAll(caller, criteria, count, more) : walked.totalCount;
    const nextPageToken =
      more && last !== undefined ? tokens.seal(positionOf(last, totalCount), criteria) : '';
    const page = { blocks, count, nextPageToken };
    return totalCount === undefined ? page : { ...page, totalCount };
  };
}

/** The faults of a free text, for an error that names the others of its request too. */
export function queryViolations(query: string): readonly FieldViolation[] {
  // A term needs two characters on average, with its separator.
  return query.length < 2 * MAX_TERMS || termsOf(query) !== undefined ? [] : QUERY_VIOLATIONS;
}

function behind(criteria: SearchCriteria, walked: WalkPosition | undefined): SearchCriteria {
  const { order } = criteria;
  if (order === undefined || walked?.key === undefined) return criteria;
  return { ...criteria, order: { ...order, from: walked.key } };
}

function positionOf({ seq: last, key }: SearchPlace, totalCount: number | undefined): WalkPosition {
  return key === undefined ? { last, totalCount } : { last, totalCount, key };
}

/** @throws ServiceError `invalid_argument` beyond the limits. */
export function parseTerms(query: string): SearchCriteria['terms'] {
  const terms = termsOf(query);
  if (terms === undefined) throw invalidArgument(QUERY_VIOLATIONS);
  return terms;
}

/** Undefined beyond the limits. */
function termsOf(query: string): SearchCriteria['terms'] | undefined {
  const terms = query.length <= MAX_QUERY_LENGTH ? parseTextQuery(query) : [];
  return query.length > MAX_QUERY_LENGTH || terms.length > MAX_TERMS ? undefined : terms;
}
