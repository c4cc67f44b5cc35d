// Dead letters: indicators that the pipeline could not finish, why, and another try.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type DeadLetter, jobQueue, retryDeadLetters } from '../../api/administration.ts';
import { useSignedIn } from '../../app/session.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toasts.ts';
import { JOBS } from '../../text/admin.ts';
import { PARTS } from '../../text/parts.ts';

const REFRESH_MS = 5_000;

export function JobsPart() {
  const { tlpCeiling } = useSignedIn();
  const client = useQueryClient();
  const queue = useQuery({ queryKey: ['jobs'], queryFn: jobQueue, refetchInterval: REFRESH_MS });
  const retry = useMutation({
    mutationFn: (id: string | undefined) => retryDeadLetters(id),
    onSuccess: async ({ revived }) => {
      showToast(JOBS.revived(revived));
      await client.invalidateQueries({ queryKey: ['jobs'] });
    },
    onError: (error) => showToast(error.message, 'bad'),
  });
  if (queue.isPending) return <p className="waiting">{PARTS.loading}</p>;
  if (queue.isError) return <ErrorState error={queue.error} onRetry={() => void queue.refetch()} />;
  const { pending, oldestQueuedAt, dead } = queue.data;
  const columns: readonly Column<DeadLetter>[] = [
    {
      key: 'indicator',
      title: JOBS.columns.indicator,
      cell: ({ indicatorId }) => (
        <Link href={`/indicators/${indicatorId}`} data-row className="mono">
          {indicatorId}
        </Link>
      ),
    },
    { key: 'error', title: JOBS.columns.error, cell: ({ error }) => <HostileText text={error} /> },
    { key: 'attempts', title: JOBS.columns.attempts, end: true, cell: ({ attempts }) => attempts },
    { key: 'queued', title: JOBS.columns.queued, cell: ({ queuedAt }) => <Time at={queuedAt} /> },
    {
      key: 'actions',
      title: JOBS.columns.actions,
      cell: ({ indicatorId }) => (
        <button type="button" className="button small" onClick={() => retry.mutate(indicatorId)}>
          {JOBS.retry}
        </button>
      ),
    },
  ];
  return (
    <>
      <p className="soft">{JOBS.intro}</p>
      {pending !== undefined && (
        <p>
          {JOBS.waiting(pending)}
          {oldestQueuedAt !== undefined && (
            <>
              , {JOBS.oldest} <Time at={oldestQueuedAt} />
            </>
          )}
        </p>
      )}
      {dead.length === 0 ? (
        <EmptyState title={JOBS.emptyTitle}>
          <p>{JOBS.empty}</p>
        </EmptyState>
      ) : (
        <>
          <Table
            caption={JOBS.table}
            columns={columns}
            rows={dead}
            rowKey={({ indicatorId, queuedAt }) => `${indicatorId} ${queuedAt}`}
          />
          {/* Whoever may not see all of them can not retry all of them. */}
          {tlpCeiling === 'TLP_MARKING_RED' && (
            <p>
              <button type="button" className="button" onClick={() => retry.mutate(undefined)}>
                {JOBS.retryAll}
              </button>
            </p>
          )}
        </>
      )}
    </>
  );
}
