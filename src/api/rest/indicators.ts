// The operations on indicators: search, counts, lookup, read, explain, evidence. Those of people are in human-acts.ts.

import { type FieldViolation, invalidArgument } from '../../domain/errors.ts';
import { filterViolations, MATCH_ALL } from '../../domain/filter.ts';
import { USAGE_BUCKETS } from '../../domain/usage-bucket.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import { newestInFeed } from '../../feed/newest-version.ts';
import { requireClient, requireScope } from '../../gateway/authorize.ts';
import type { VolumeLimits } from '../../gateway/volume-limits.ts';
import type { Meter } from '../../metering/meter.ts';
import { type IndicatorService, nameOf, namesOf } from '../../protojson/contract.ts';
import { encodeEvidence } from '../../protojson/evidence-json.ts';
import { toFilter } from '../../protojson/indicator-filter.ts';
import { encodeLookupResult, encodeReceipt } from '../../protojson/indicator-json.ts';
import type { AggregateIndicators, AggregateRequest } from '../../search/aggregate.ts';
import { FACETS, HISTOGRAM_TIMES } from '../../search/facets.ts';
import type { Lookup, LookupAnswer } from '../../search/lookup.ts';
import { findRelated } from '../../search/related.ts';
import { queryViolations, type Search, type SearchPage, type SearchRequest } from '../../search/search.ts';
import type { FeedReader } from '../../store/feed.ts';
import { ORDER_KEYS, type OrderKey } from '../../store/indicators.ts';
import type { Stores } from '../../store/stores.ts';
import { jsonList, jsonParts } from '../http/json-reply.ts';
import { lengthOfParts, type Parts } from '../http/raw-answer.ts';
import type { WorkTurns } from '../http/work-turns.ts';
import { type HumanActDeps, humanActOperations } from './human-acts.ts';
import { existing, found } from './indicator-id.ts';
import type { Operations, RequestOf } from './transcoder.ts';

export interface IndicatorDeps {
  readonly search: Search;
  readonly aggregate: AggregateIndicators;
  /** Counting reads thousands of documents, so one caller after the other. */
  readonly aggregateTurns: WorkTurns;
  readonly lookup: Lookup;
  /** A lookup makes megabytes of a small body, so only few large ones are answered at the same time. */
  readonly lookupTurns: WorkTurns;
  readonly spendLookups: VolumeLimits['spendLookups'];
  readonly stores: Pick<Stores, 'indicators'> & { readonly feed: Pick<FeedReader, 'bounds' | 'objects'> };
  readonly commands: HumanActDeps['commands'];
  /** Records every search page and every lookup before it is answered. */
  readonly meter: Meter;
}

const LOOKUP_BODY_LIMIT = 8 * 1_048_576;

export function indicatorOperations({
  stores,
  search,
  aggregate,
  aggregateTurns,
  lookup,
  lookupTurns,
  spendLookups,
  commands,
  meter,
}: IndicatorDeps): Operations<typeof IndicatorService> {
  return {
    ...humanActOperations({ stores, commands }),
    searchIndicators: {
      isPage: true,
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      // No fault of a request depends on the ceiling.
      validate: (request) => void toSearchRequest(request, 'CLEAR'),
      answer: async (request, { account, id, ceiling }, hold) => {
        const page = await search({ ...toSearchRequest(request, ceiling), caller: id });
        const body = pageBody(page);
        hold(lengthOfParts(body));
        // The last step: after the page is metered, nothing can fail before the answer.
        await meter.record({ account, credential: id, searches: 1, returned: page.count });
        return body;
      },
    },
    aggregateIndicators: {
      isPage: true,
      turns: aggregateTurns,
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      validate: (request) => void toAggregateRequest(request, 'CLEAR'),
      answer: async (request, { account, id, ceiling }) => {
        const counts = await aggregate({ ...toAggregateRequest(request, ceiling), caller: id });
        await meter.record({ account, credential: id, searches: 1 });
        return counts;
      },
    },
    lookupIndicators: {
      isPage: true,
      turns: lookupTurns,
      bodyLimit: LOOKUP_BODY_LIMIT,
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      answer: async ({ values }, { account, id, ceiling }, hold) => {
        await spendLookups(id, values.length);
        const found = await lookup({ values, ceiling });
        const body = lookupBody(found);
        hold(body.length);
        const lookups = found.results.filter(({ reason }) => reason === undefined).length;
        await meter.record({ account, credential: id, lookups, lookupRequests: 1 });
        return body;
      },
    },
    getIndicator: {
      authorize: requireClient,
      answer: async ({ id }, { ceiling }) =>
        found(id, await stores.indicators.document(existing(id), ceiling)),
    },
    getIndicatorStix: {
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      answer: async ({ id }, { ceiling }) => {
        found(id, await stores.indicators.document(existing(id), ceiling));
        return { indicatorId: id, object: (await newestInFeed(stores.feed, id, ceiling)) ?? '' };
      },
    },
    explainIndicator: {
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      answer: async ({ id }, { ceiling }) =>
        encodeReceipt(found(id, await stores.indicators.record(existing(id), ceiling))),
    },
    getIndicatorEvidence: {
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      answer: async ({ id }, { ceiling }) =>
        encodeEvidence(id, found(id, await stores.indicators.evidence(existing(id), ceiling))),
    },
    getRelatedIndicators: {
      isPage: true,
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      answer: async ({ id, hops }, { ceiling }) =>
        found(id, await findRelated(stores.indicators, existing(id), ceiling, hops === 0 ? 1 : hops)),
    },
  };
}

/**
 * The request in terms of the domain. Shorthand members are resolved here only, so that page tokens and stores see one
 * form of each search.
 * @throws ServiceError `invalid_argument` for a window that ends before it starts, too many terms and contradicting page
 *   sizes.
 */
export function toSearchRequest(
  request: RequestOf<typeof IndicatorService, 'searchIndicators'>,
  ceiling: TlpMarking,
): SearchRequest {
  const filter = request.filter === undefined ? MATCH_ALL : toFilter(request.filter);
  const order = nameOf(ORDERS, request.orderBy);
  const nested = request.pagination?.pageSize ?? 0;
  const shorthand = request.pageSize ?? 0;
  const conflict = nested !== 0 && shorthand !== 0 && nested !== shorthand ? PAGE_SIZE_CONFLICT : [];
  const violations = [...filterViolations(filter), ...queryViolations(request.query), ...conflict];
  if (violations.length > 0) {
    const onlyPageSize = violations.length === conflict.length;
    throw invalidArgument(violations, onlyPageSize ? 'CONFLICTING_PAGE_SIZE' : undefined);
  }
  return {
    filter,
    query: request.query,
    pageSize: nested === 0 ? shorthand : nested,
    pageToken: request.pagination?.pageToken ?? '',
    ceiling,
    ...(isKey(order) ? { orderBy: order } : {}),
  };
}

/** @throws ServiceError `invalid_argument` for a filter that contradicts itself. */
function toAggregateRequest(
  request: RequestOf<typeof IndicatorService, 'aggregateIndicators'>,
  ceiling: TlpMarking,
): AggregateRequest {
  const filter = request.filter === undefined ? MATCH_ALL : toFilter(request.filter);
  const facets = namesOf(FACETS, request.facets);
  const time = nameOf(HISTOGRAM_TIMES, request.histogramTime);
  const bucket = nameOf(USAGE_BUCKETS, request.histogramBucket);
  const violations = [...filterViolations(filter), ...queryViolations(request.query)];
  if (facets.includes('UNSPECIFIED')) {
    violations.push({ field: 'facets', description: 'must not contain FACET_UNSPECIFIED' });
  }
  if (time === 'UNSPECIFIED' && bucket !== 'UNSPECIFIED') {
    violations.push({ field: 'histogramTime', description: 'is required with histogramBucket' });
  }
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    filter,
    query: request.query,
    facets: facets.filter((facet) => facet !== 'UNSPECIFIED'),
    top: request.top,
    ...(time === 'UNSPECIFIED'
      ? {}
      : { histogram: { time, bucket: bucket === 'UNSPECIFIED' ? 'DAY' : bucket } }),
    ceiling,
  };
}

/** The index of a name is its number in the contract. */
const ORDERS = ['UNSPECIFIED', 'CREATED', ...ORDER_KEYS] as const;

function isKey(order: (typeof ORDERS)[number]): order is OrderKey {
  return order !== 'UNSPECIFIED' && order !== 'CREATED';
}

const PAGE_SIZE_CONFLICT: readonly FieldViolation[] = [
  { field: 'pageSize', description: 'differs from pagination.pageSize' },
  { field: 'pagination.pageSize', description: 'differs from pageSize' },
];

/** The stored documents are sent as they are: decoding and encoding them would take most of the time of a search. */
function pageBody({ blocks, nextPageToken, totalCount }: SearchPage): Parts {
  const total = totalCount === undefined ? '' : `,"totalCount":"${totalCount}"`;
  const pageInfo = `{"nextPageToken":"${nextPageToken}"${total}}`;
  return jsonParts('{"indicators":', blocks, `,"pageInfo":${pageInfo}}`);
}

function lookupBody({ results, documents, omitted }: LookupAnswer): Buffer {
  const known = jsonList('{"results":', results.map(encodeLookupResult), ',"indicators":');
  return Buffer.concat([known, jsonList('', documents, `,"omittedIndicatorCount":${omitted}}`)]);
}
