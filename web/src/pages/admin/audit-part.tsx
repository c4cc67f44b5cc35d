// The audit log. The search is in the address, so that a list of acts can be sent to a colleague.

import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { useLocation } from 'wouter';
import { type AuditEntry, type AuditQuery, searchAudit } from '../../api/administration.ts';
import { useQueryString } from '../../app/query-string.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { AUDIT } from '../../text/admin.ts';
import { PARTS } from '../../text/parts.ts';

const MEMBERS = ['actor', 'action', 'target'] as const;

export function AuditPart() {
  const [, navigate] = useLocation();
  const parameters = new URLSearchParams(useQueryString());
  const query: AuditQuery = Object.fromEntries(
    MEMBERS.flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name)]] : [])),
  );
  const acts = useInfiniteQuery({
    queryKey: ['audit', query],
    queryFn: ({ pageParam }) => searchAudit(query, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const entries = acts.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <p className="soft">{AUDIT.intro}</p>
      <SearchForm
        key={parameters.toString()}
        query={query}
        onSearch={(wanted) => navigate(`/admin/audit?${new URLSearchParams(wanted)}`)}
      />
      {acts.isPending && <p className="waiting">{PARTS.loading}</p>}
      {acts.isError && <ErrorState error={acts.error} onRetry={() => void acts.refetch()} />}
      {acts.isSuccess && entries.length === 0 && !acts.hasNextPage && (
        <EmptyState title={AUDIT.emptyTitle}>
          <p>{AUDIT.empty}</p>
        </EmptyState>
      )}
      {entries.length > 0 && (
        <Table
          caption={AUDIT.table}
          columns={COLUMNS}
          rows={entries}
          rowKey={({ number }) => String(number)}
        />
      )}
      {acts.hasNextPage && (
        <p>
          <button
            type="button"
            className="button"
            disabled={acts.isFetchingNextPage}
            onClick={() => void acts.fetchNextPage()}
          >
            {AUDIT.more}
          </button>
        </p>
      )}
    </>
  );
}

interface FormProps {
  readonly query: AuditQuery;
  readonly onSearch: (query: Record<string, string>) => void;
}

function SearchForm({ query, onSearch }: FormProps) {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const wanted = MEMBERS.map((name) => [name, String(form.get(name) ?? '').trim()] as const);
    onSearch(Object.fromEntries(wanted.filter(([, text]) => text !== '')));
  };
  return (
    <form className="admin-search" onSubmit={submit}>
      {MEMBERS.map((name) => (
        <div key={name} className="field">
          <label htmlFor={`${id}-${name}`}>{AUDIT[name]}</label>
          <input
            id={`${id}-${name}`}
            name={name}
            defaultValue={query[name] ?? ''}
            placeholder={name === 'actor' ? AUDIT.actorHint : undefined}
            maxLength={512}
          />
        </div>
      ))}
      <button type="submit" className="button main">
        {AUDIT.search}
      </button>
      {MEMBERS.some((name) => query[name] !== undefined) && (
        <button type="button" className="button" onClick={() => onSearch({})}>
          {AUDIT.clear}
        </button>
      )}
    </form>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'at', title: AUDIT.columns.at, cell: ({ at }) => <Time at={at} exact /> },
  {
    key: 'actor',
    title: AUDIT.columns.actor,
    cell: ({ actor }) => (
      <span className="admin-actor">
        <HostileText text={actor} limit={60} />
      </span>
    ),
  },
  { key: 'action', title: AUDIT.columns.action, cell: ({ action }) => <code>{action}</code> },
  {
    key: 'target',
    title: AUDIT.columns.target,
    cell: ({ target }) => <HostileText text={target} limit={60} />,
  },
  { key: 'detail', title: AUDIT.columns.detail, cell: ({ detail }) => <Detail detail={detail} /> },
];

function Detail({ detail }: Pick<AuditEntry, 'detail'>) {
  return (
    <ul className="admin-detail">
      {Object.entries(detail)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <li key={name}>
            <span className="soft">{name}</span> <HostileText text={value} limit={160} />
          </li>
        ))}
    </ul>
  );
}
