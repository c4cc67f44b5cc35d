// A search request of the contract into one of the domain: shorthand members are resolved here and nowhere else, so that
// page tokens and stores only ever see one way of asking.

import { type FieldViolation, invalidArgument } from '../../domain/errors.ts';
import { filterViolations, MATCH_ALL } from '../../domain/filter.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { SearchIndicatorsRequest } from '../../protojson/contract.ts';
import { toFilter } from '../../protojson/indicator-filter.ts';
import type { SearchRequest } from '../../search/search.ts';

/** @throws ServiceError `invalid_argument` for windows that end before they start and for contradicting page sizes. */
export function toSearchRequest(request: SearchIndicatorsRequest, ceiling: TlpMarking): SearchRequest {
  const filter = request.filter === undefined ? MATCH_ALL : toFilter(request.filter);
  const nested = request.pagination?.pageSize ?? 0;
  const shorthand = request.pageSize ?? 0;
  const conflict = nested !== 0 && shorthand !== 0 && nested !== shorthand ? PAGE_SIZE_CONFLICT : [];
  const violations = [...filterViolations(filter), ...conflict];
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
  };
}

const PAGE_SIZE_CONFLICT: readonly FieldViolation[] = [
  { field: 'pageSize', description: 'differs from pagination.pageSize' },
  { field: 'pagination.pageSize', description: 'differs from pageSize' },
];
