// The sources of the indicators that the person may see, with the key that each belongs to.

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ApiKey, ValueCount } from '../../api/contract.ts';
import { aggregateIndicators } from '../../api/indicators.ts';
import { listKeys } from '../../api/keys.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { SOURCES } from '../../text/admin.ts';
import { PARTS } from '../../text/parts.ts';

const MOST = 100;

export function SourcesPart() {
  const counts = useQuery({
    queryKey: ['sources'],
    queryFn: () => aggregateIndicators({ facets: ['FACET_SOURCE'], top: MOST }),
  });
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => listKeys() });
  if (counts.isPending) return <p className="waiting">{PARTS.loading}</p>;
  if (counts.isError) return <ErrorState error={counts.error} onRetry={() => void counts.refetch()} />;
  const [facet] = counts.data.facets;
  const rows = facet?.values ?? [];
  if (rows.length === 0) {
    return (
      <EmptyState title={SOURCES.emptyTitle}>
        <p>{SOURCES.empty}</p>
        <Link href="/start" className="button">
          {SOURCES.toStart}
        </Link>
      </EmptyState>
    );
  }
  // A source is `<id of the key>`, or `<id of the key>#<name>` for one that the key speaks for.
  const keyOf = ({ value }: ValueCount): ApiKey | undefined =>
    keys.data?.find(({ id }) => value.split('#', 1)[0] === id);
  const columns: readonly Column<ValueCount>[] = [
    {
      key: 'source',
      title: SOURCES.columns.source,
      cell: (row) => (
        <Link href={`/?source=${encodeURIComponent(row.value)}`} data-row>
          <HostileText text={row.value} limit={90} brief />
        </Link>
      ),
    },
    {
      key: 'indicators',
      title: SOURCES.columns.indicators,
      end: true,
      cell: ({ count }) => Number(count).toLocaleString('en'),
    },
    {
      key: 'reliability',
      title: SOURCES.columns.reliability,
      end: true,
      cell: (row) => keyOf(row)?.reliability.toFixed(2) ?? SOURCES.none,
    },
    {
      key: 'key',
      title: SOURCES.columns.key,
      cell: (row) => <HostileText text={keyOf(row)?.name ?? SOURCES.noKey} limit={60} brief />,
    },
  ];
  return (
    <>
      <p className="soft">{SOURCES.intro}</p>
      {counts.data.atLeast && <p className="soft">{SOURCES.atLeast}</p>}
      <Table caption={SOURCES.table} columns={columns} rows={rows} rowKey={({ value }) => value} />
      {facet !== undefined && facet.omittedValueCount > 0 && (
        <p className="soft">{SOURCES.beyond(facet.omittedValueCount)}</p>
      )}
    </>
  );
}
