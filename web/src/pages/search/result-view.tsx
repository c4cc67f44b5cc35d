// The result of a search with its conditions and counts.

import { useCallback, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { ServiceError } from '../../api/service-error.ts';
import { useNow } from '../../parts/clock.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { SEARCH } from '../../text/search.ts';
import { AlsoKnown } from './also-known.tsx';
import { COLUMNS, USUAL_COLUMNS } from './columns.tsx';
import { Conditions } from './conditions.tsx';
import { FacetRail } from './facet-rail.tsx';
import { ResultTable } from './result-table.tsx';
import type { Row } from './row.ts';
import { countConditions, requestOf, type SearchQuery } from './search-query.ts';
import { Toolbar } from './toolbar.tsx';
import type { Understanding } from './understanding.ts';
import { FACET_VALUES, MOST_ROWS, useCounts, useResults } from './use-results.ts';
import { useSettled } from './use-settled.ts';

/** Counts cost more than rows and may come later. */
const COUNTS_REST_MS = 300;
/** Shorter words match too much to be found quickly. Enter asks anyway. */
const SHORTEST = 3;

interface Props {
  readonly query: SearchQuery;
  readonly understanding: Understanding;
  /** The text that is asked for. */
  readonly text: string;
  /** The person pressed Enter. */
  readonly entered: boolean;
  readonly onChange: (next: SearchQuery, typing?: boolean) => void;
}

export function ResultView({ query, understanding, text, entered, onChange }: Props) {
  const now = useNow();
  const [filters, setFilters] = useState(false);
  const isShort = text !== '' && text.length < SHORTEST && !entered;
  const key = JSON.stringify(requestOf(query, text, now));
  const request = useMemo(() => JSON.parse(key) as ReturnType<typeof requestOf>, [key]);
  const results = useResults(request, !isShort);
  const [top, setTop] = useState<number>(FACET_VALUES.few);
  const counts = useCounts(useSettled(request, COUNTS_REST_MS), top, !isShort);
  const { data, error, isPlaceholderData, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } =
    results;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const names = useMemo(() => namesOf(rows), [rows]);
  const total = data?.pages[0]?.total;
  const columns = useMemo(
    () => COLUMNS.filter(({ key: column }) => (query.columns ?? USUAL_COLUMNS).includes(column)),
    [query.columns],
  );
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isPlaceholderData) void fetchNextPage();
  }, [hasNextPage, isFetching, isPlaceholderData, fetchNextPage]);

  const rail = (
    <FacetRail
      query={query}
      onChange={onChange}
      counts={counts.data}
      names={names}
      onMore={() => setTop(FACET_VALUES.many)}
    />
  );
  const conditions = countConditions(query);
  return (
    <div className="search-body">
      <aside className="search-rail" aria-label={SEARCH.filters}>
        {rail}
      </aside>
      <div className="search-main">
        <div className="result-head">
          <p aria-live="polite">
            <b>
              {error !== null
                ? ''
                : data === undefined
                  ? SEARCH.searching
                  : totalText(total, rows.length, hasNextPage)}
            </b>
          </p>
          <button type="button" className="button search-filters" onClick={() => setFilters(true)}>
            {SEARCH.filtersCount(conditions)}
          </button>
          <Toolbar query={query} request={request} onChange={onChange} />
        </div>
        <Conditions query={query} names={names} onChange={onChange} />
        {understanding.kind === 'value' && <AlsoKnown value={understanding.value} rows={rows} />}
        {isShort ? (
          <EmptyState title={SEARCH.tooShort} />
        ) : error !== null ? (
          <ErrorState error={error} onRetry={() => void results.refetch()}>
            {error instanceof ServiceError && error.status === 503 && <p>{SEARCH.narrow}</p>}
          </ErrorState>
        ) : data !== undefined && rows.length === 0 ? (
          <Nothing query={query} understanding={understanding} conditions={conditions} onChange={onChange} />
        ) : (
          <ResultTable
            rows={rows}
            columns={columns}
            place={key}
            total={total === undefined ? undefined : Number(total)}
            onEnd={loadMore}
            foot={footOf(rows.length, hasNextPage, isFetchingNextPage)}
            stale={isPlaceholderData}
          />
        )}
      </div>
      {filters && (
        <Dialog title={SEARCH.filters} onClose={() => setFilters(false)}>
          {rail}
        </Dialog>
      )}
    </div>
  );
}

interface NothingProps extends Pick<Props, 'query' | 'understanding' | 'onChange'> {
  readonly conditions: number;
}

function Nothing({ query, understanding, conditions, onChange }: NothingProps) {
  const { empty } = SEARCH;
  if (conditions > 0) {
    return (
      <EmptyState title={empty.nothing}>
        <p>{empty.withFilters}</p>
        <button
          type="button"
          className="button"
          onClick={() => onChange({ ...query, chosen: {}, score: 0, seen: 'any' })}
        >
          {empty.removeFilters}
        </button>
      </EmptyState>
    );
  }
  if (understanding.kind === 'all') {
    return (
      <EmptyState title={empty.store}>
        <p>{empty.storeHint}</p>
        <Link href="/start" className="button main">
          {empty.toStart}
        </Link>
      </EmptyState>
    );
  }
  if (understanding.kind === 'value') {
    return <EmptyState title={empty.unknownValue}>{empty.unknownHint}</EmptyState>;
  }
  return <EmptyState title={empty.nothing} />;
}

function totalText(total: string | undefined, loaded: number, more: boolean): string {
  if (total !== undefined) return SEARCH.total(Number(total));
  return more ? SEARCH.manyTotal : SEARCH.total(loaded);
}

function footOf(loaded: number, more: boolean, loading: boolean): string {
  if (loading || more) return SEARCH.loadingMore;
  return loaded >= MOST_ROWS ? SEARCH.enough(loaded) : SEARCH.end;
}

/** Rows whose names are looked at. */
const MOST_NAMED = 1_000;

/** Names of sources and networks, which facets name by id only. */
function namesOf(rows: readonly Row[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { sources, asn, network } of rows.slice(0, MOST_NAMED)) {
    for (const { id, name } of sources) names.set(`source ${id}`, name);
    if (asn !== undefined && network !== '') names.set(`asn ${asn}`, network);
  }
  return names;
}
