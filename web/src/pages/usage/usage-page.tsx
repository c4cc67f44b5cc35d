// The use of the account: units a day by credential, what was over a limit, and the same as CSV.

import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { type AccountUse, accountUse, unitsOf } from '../../api/usage.ts';
import { useQueryString } from '../../app/query-string.ts';
import { useMay } from '../../app/session.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { PARTS } from '../../text/parts.ts';
import { TITLES } from '../../text/titles.ts';
import { USAGE } from '../../text/usage.ts';
import { DownloadCsv } from './download-csv.tsx';
import { UseChart } from './use-chart.tsx';
import { seriesOf, sumOf } from './use-series.ts';
import { CredentialTable, DayTable } from './use-tables.tsx';
import './usage.css';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

export function UsagePage() {
  const [, navigate] = useLocation();
  const parameters = new URLSearchParams(useQueryString());
  const asked = Number(parameters.get('days'));
  const days = USAGE.ranges.find((each) => each === asked) ?? DEFAULT_DAYS;
  // From the begin of a day, so that the same days are asked for until midnight.
  const end = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
  const use = useQuery({
    queryKey: ['use', days, end],
    queryFn: () => accountUse(new Date(end - days * DAY_MS), new Date(end)),
  });
  return (
    <div className="page">
      <header className="page-head">
        <h1>{TITLES.usage}</h1>
        <div className="usage-controls">
          <label>
            {USAGE.range}{' '}
            <select value={days} onChange={(event) => navigate(`/usage?days=${event.target.value}`)}>
              {USAGE.ranges.map((each) => (
                <option key={each} value={each}>
                  {USAGE.daysAgo(each)}
                </option>
              ))}
            </select>
          </label>
          {use.data && <DownloadCsv use={use.data} />}
        </div>
      </header>
      <p className="soft">{USAGE.intro}</p>
      {use.isPending && <p className="waiting">{PARTS.loading}</p>}
      {use.isError && <ErrorState error={use.error} onRetry={() => void use.refetch()} />}
      {use.data && <Use use={use.data} end={end} days={days} />}
    </div>
  );
}

function Use({ use, end, days }: { readonly use: AccountUse; readonly end: number; readonly days: number }) {
  const mayMakeKeys = useMay('keys:manage');
  if (use.days.length === 0 && use.refusals.length === 0) {
    return (
      <EmptyState title={USAGE.emptyTitle}>
        <p>{USAGE.empty}</p>
        <p>
          <Link href="/" className="button">
            {USAGE.toSearch}
          </Link>{' '}
          {mayMakeKeys && (
            <Link href="/keys" className="button">
              {USAGE.toKeys}
            </Link>
          )}
        </p>
      </EmptyState>
    );
  }
  const { totals } = USAGE;
  const refused = use.refusals.reduce((all, { requests }) => all + requests, 0);
  return (
    <>
      <dl className="usage-totals">
        <Total title={totals.units} value={sumOf(use.days, unitsOf)} />
        <Total title={totals.searches} value={sumOf(use.days, (day) => day.searchCount)} />
        <Total title={totals.returned} value={sumOf(use.days, (day) => day.returnedCount)} />
        <Total title={totals.lookups} value={sumOf(use.days, (day) => day.lookupCount)} />
        <Total title={totals.refused} value={refused} />
      </dl>
      <UseChart series={seriesOf(use, end, days)} end={end} refusals={use.refusals} />
      {!use.complete && <p className="soft">{USAGE.incomplete}</p>}
      <h2>{USAGE.byCredential}</h2>
      <CredentialTable use={use} />
      <h2>{USAGE.byDay}</h2>
      <DayTable use={use} />
    </>
  );
}

function Total({ title, value }: { readonly title: string; readonly value: number }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value.toLocaleString('en')}</dd>
    </div>
  );
}
