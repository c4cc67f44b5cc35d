// The numbers of the chart.

import { type AccountUse, type CredentialUse, type DayOfUse, unitsOf } from '../../api/usage.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { USAGE } from '../../text/usage.ts';
import { nameOf, sumOf } from './use-series.ts';

const { columns } = USAGE;
const whole = (value: number) => value.toLocaleString('en');

export function CredentialTable({ use }: { readonly use: AccountUse }) {
  const all = Math.max(1, sumOf(use.days, unitsOf));
  const table: readonly Column<CredentialUse>[] = [
    { key: 'credential', title: columns.credential, cell: (row) => <HostileText text={nameOf(row)} /> },
    number('units', (row) => sumOf(row.days, unitsOf)),
    {
      key: 'share',
      title: columns.share,
      end: true,
      cell: (row) => `${Math.round((100 * sumOf(row.days, unitsOf)) / all)}%`,
    },
    number('searches', (row) => sumOf(row.days, (day) => day.searchCount)),
    number('returned', (row) => sumOf(row.days, (day) => day.returnedCount)),
    number('lookups', (row) => sumOf(row.days, (day) => day.lookupCount)),
    number('refused', (row) => row.refusals.reduce((sum, { requests }) => sum + requests, 0)),
  ];
  const rows = use.credentials.toSorted((a, b) => sumOf(b.days, unitsOf) - sumOf(a.days, unitsOf));
  return <Table caption={USAGE.byCredential} columns={table} rows={rows} rowKey={({ id }) => id} />;
}

export function DayTable({ use }: { readonly use: AccountUse }) {
  const refused = new Map(use.refusals.map(({ start, requests }) => [start, requests]));
  const used = new Set(use.days.map(({ start }) => start));
  const refusedOnly = use.refusals.filter(({ start }) => !used.has(start)).map(({ start }) => noUse(start));
  const rows = [...use.days, ...refusedOnly].toSorted((a, b) => b.start.localeCompare(a.start));
  const table: readonly Column<DayOfUse>[] = [
    { key: 'day', title: columns.day, cell: ({ start }) => start.slice(0, 10) },
    number('units', unitsOf),
    number('searches', (day) => day.searchCount),
    number('returned', (day) => day.returnedCount),
    number('lookups', (day) => day.lookupCount),
    number('refused', ({ start }) => refused.get(start) ?? 0),
  ];
  return <Table caption={USAGE.byDay} columns={table} rows={rows} rowKey={({ start }) => start} />;
}

function number<Row>(key: keyof typeof columns, count: (row: Row) => number): Column<Row> {
  return { key, title: columns[key], end: true, cell: (row) => whole(count(row)) };
}

function noUse(start: string): DayOfUse {
  return { start, searchCount: 0, returnedCount: 0, lookupCount: 0, lookupRequestCount: 0 };
}
