// The durable queue of the pipeline: at most one job for each view of an indicator, with leases and dead letters.

import { TLP_MARKINGS } from '../../../domain/vocabulary.ts';
import type { ViewKey } from '../../indicators.ts';
import type { DeadJob, Job, JobCounts, JobReader } from '../../jobs.ts';
import { markingNumber } from '../../rules/markings.ts';
import type { Connection } from '../connection.ts';
import { blobToId, idToBlob } from '../id-column.ts';
import { markingNumberOf } from '../search/view-rows.ts';
import { guarded } from '../store-errors.ts';
import { DUE_JOBS, FIRST_DUE } from './job-order.ts';

export function createJobReader(connection: Connection): JobReader {
  return {
    counts: guarded((): JobCounts => {
      const [pending, dead, oldest] = connection.row(
        'select count(*) filter (where dead = 0), count(*) filter (where dead = 1), min(queued_at) filter (where dead = 0) from job',
      ) ?? [0, 0, null];
      return {
        pending: pending as number,
        dead: dead as number,
        ...(oldest === null ? {} : { oldestQueuedAt: oldest as number }),
      };
    }),
    nextDueAt: guarded(() => {
      const row = connection.row(FIRST_DUE);
      return (row?.[0] ?? undefined) as number | undefined;
    }),
    areOutstanding: guarded((queuedBy: number, now: number) => {
      const row = connection.row(
        'select exists (select 1 from job where dead = 0 and queued_at <= ? and (leased = 1 or due_at <= ?))',
        queuedBy,
        now,
      );
      return row?.[0] === 1;
    }),
    dead: guarded((limit: number) =>
      connection
        .rows(
          'select indicator_id, marking, attempts, queued_at, error from job where dead = 1 order by queued_at limit ?',
          limit,
        )
        .map(
          ([id, marking, attempts, queuedAt, error]): DeadJob => ({
            ...viewKey(id, marking),
            attempts: attempts as number,
            queuedAt: queuedAt as number,
            error: (error ?? '') as string,
          }),
        ),
    ),
  };
}

export function enqueueJobs(connection: Connection, views: readonly ViewKey[], now: number): void {
  for (const view of views) {
    // A new event revives a dead letter. A job that is already due is not written again: even an unchanged row costs a
    // page of the log.
    connection.run(
      `insert into job (indicator_id, marking, queued_at, due_at, seq)
       values (?1, ?2, ?3, ?3, (select i.seq from indicator i where i.id = ?1 and ${markingNumberOf('i.seq')} = ?2))
       on conflict (indicator_id, marking) do update set
         again_at = case when leased = 1 then coalesce(again_at, excluded.queued_at) end,
         due_at = case when leased = 1 then due_at else min(due_at, excluded.due_at) end,
         attempts = case when dead = 1 then 0 else attempts end,
         queued_at = case when dead = 1 then excluded.queued_at else queued_at end,
         dead = 0
       where leased = 1 or dead = 1 or due_at > excluded.due_at`,
      ...columnsOf(view),
      now,
    );
  }
}

export function haveJobs(connection: Connection, views: readonly ViewKey[]): boolean[] {
  // The queue is empty nearly always.
  if (connection.row('select 1 from job limit 1') === undefined) return views.map(() => false);
  return views.map(
    (view) =>
      connection.row('select 1 from job where indicator_id = ? and marking = ?', ...columnsOf(view)) !==
      undefined,
  );
}

export function claimJobs(connection: Connection, limit: number, leaseMs: number, now: number): Job[] {
  const due = connection.rows(
    `select indicator_id, marking, attempts, token from ${DUE_JOBS} limit ?2`,
    now,
    limit,
  );
  return due.map(([id, marking, attempts, token]) => {
    const next = (token as number) + 1;
    connection.run(
      // This lease serves everything that was queued before it.
      'update job set token = ?, leased = 1, again_at = null, due_at = ? where indicator_id = ? and marking = ?',
      next,
      now + leaseMs,
      id as Uint8Array,
      marking as number,
    );
    return { ...viewKey(id, marking), attempts: attempts as number, token: next };
  });
}

export function completeJobs(connection: Connection, jobs: readonly Job[]): void {
  for (const job of jobs) {
    const view = columnsOf(job);
    const ended = connection.run(
      'delete from job where indicator_id = ? and marking = ? and token = ? and leased = 1 and again_at is null',
      ...view,
      job.token,
    );
    if (ended === 0) {
      connection.run(
        `update job set leased = 0, again_at = null, attempts = 0, queued_at = again_at, due_at = again_at
         where indicator_id = ? and marking = ? and token = ? and leased = 1`,
        ...view,
        job.token,
      );
    }
  }
}

export function failJob(connection: Connection, job: Job, error: string, dueAt: number | undefined): void {
  connection.run(
    // A job that was queued again during its lease does not become a dead letter.
    `update job set leased = 0, again_at = null, attempts = attempts + 1, error = ?, due_at = ?,
       dead = case when again_at is null then ? else 0 end
     where indicator_id = ? and marking = ? and token = ? and leased = 1`,
    error,
    dueAt ?? 0,
    dueAt === undefined ? 1 : 0,
    ...columnsOf(job),
    job.token,
  );
}

export function reviveJobs(connection: Connection, indicatorId: string | undefined, now: number): number {
  const sql = 'update job set dead = 0, attempts = 0, error = null, due_at = ?, queued_at = ? where dead = 1';
  if (indicatorId === undefined) return connection.run(sql, now, now);
  const id = idToBlob(indicatorId);
  return id === undefined ? 0 : connection.run(`${sql} and indicator_id = ?`, now, now, id);
}

export function hastenJobs(connection: Connection, latest: number, now: number): number {
  return connection.run(
    'update job set leased = 0, again_at = null, queued_at = min(queued_at, ?), due_at = ? where dead = 0 and due_at > ?',
    now,
    now,
    latest,
  );
}

/** Makes all leased jobs due, for a store that no worker uses. */
export function releaseLeases(connection: Connection): void {
  connection.run('update job set leased = 0, again_at = null, due_at = queued_at where leased = 1');
}

function columnsOf({ indicatorId, marking }: ViewKey): readonly [Buffer, number] {
  const blob = idToBlob(indicatorId);
  if (blob === undefined) throw new TypeError(`not a UUID: ${indicatorId}`);
  return [blob, markingNumber(marking)];
}

function viewKey(id: unknown, marking: unknown): ViewKey {
  return { indicatorId: blobToId(id as Uint8Array), marking: TLP_MARKINGS[marking as number] ?? 'RED' };
}
