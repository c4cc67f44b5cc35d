// The state of the service, as its supervisor sees it.

import { useQuery } from '@tanstack/react-query';
import { type InstalledData, readiness } from '../../api/administration.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { SERVICE } from '../../text/admin.ts';
import { PARTS } from '../../text/parts.ts';

const REFRESH_MS = 5_000;

type Check = readonly [name: string, value: unknown];

export function ServicePart() {
  const state = useQuery({ queryKey: ['readiness'], queryFn: readiness, refetchInterval: REFRESH_MS });
  if (state.isPending) return <p className="waiting">{PARTS.loading}</p>;
  if (state.isError) return <ErrorState error={state.error} onRetry={() => void state.refetch()} />;
  const { status, data = [], ...checks } = state.data;
  return (
    <>
      <p className={status === 'ready' ? 'admin-ready' : 'admin-unready'} role="status">
        {status === 'ready' ? SERVICE.ready : SERVICE.unready}
      </p>
      <Table
        caption={SERVICE.checks}
        columns={COLUMNS}
        rows={Object.entries(checks).flatMap(([name, value]) => flat(name, value))}
        rowKey={([name]) => name}
      />
      {data.length > 0 && (
        <>
          <h2>{SERVICE.datasets}</h2>
          <Table
            caption={SERVICE.datasets}
            columns={DATASETS}
            rows={data}
            rowKey={({ kind, name }) => `${kind} ${name}`}
          />
        </>
      )}
      <p className="soft">{SERVICE.metrics}</p>
      <p className="soft">{SERVICE.settings}</p>
    </>
  );
}

const COLUMNS: readonly Column<Check>[] = [
  { key: 'check', title: SERVICE.columns.check, cell: ([name]) => wordsOf(name) },
  { key: 'value', title: SERVICE.columns.value, cell: ([, value]) => <HostileText text={textOf(value)} /> },
];

const DATASETS: readonly Column<InstalledData>[] = [
  {
    key: 'name',
    title: SERVICE.datasetColumns.name,
    cell: ({ name }) => <HostileText text={name} limit={100} />,
  },
  { key: 'kind', title: SERVICE.datasetColumns.kind, cell: ({ kind }) => kind },
  { key: 'built', title: SERVICE.datasetColumns.built, cell: ({ builtAt }) => <Time at={builtAt} /> },
  {
    key: 'licence',
    title: SERVICE.datasetColumns.licence,
    cell: ({ licence = '' }) => <HostileText text={licence} limit={100} />,
  },
];

/** Members of members are lines of their own. */
function flat(name: string, value: unknown): Check[] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([member, inner]) =>
    flat(/^\d+$/.test(member) ? `${name} ${Number(member) + 1}` : `${name} ${member}`, inner),
  );
}

/** `storeWritable` as `store writable`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? SERVICE.yes : SERVICE.no;
  return String(value);
}
