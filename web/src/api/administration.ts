// What administrators see: the audit log, the queue of the pipeline, the state of the service.

import { call } from './client.ts';
import { ServiceError } from './service-error.ts';

export interface AuditEntry {
  /** Place in the log. */
  readonly number: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly detail: Readonly<Record<string, string>>;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** For the next page. Missing on the last one. */
  readonly next?: number;
}

export interface AuditQuery {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
}

export interface DeadLetter {
  readonly indicatorId: string;
  readonly attempts: number;
  readonly queuedAt: string;
  readonly error: string;
}

export interface JobQueue {
  /** With the ceiling TLP:RED only: it counts jobs of all readers. */
  readonly pending?: number;
  readonly oldestQueuedAt?: string;
  readonly dead: readonly DeadLetter[];
}

export interface InstalledData {
  readonly kind: string;
  readonly name: string;
  readonly builtAt: string;
  readonly licence?: string;
}

/** As /readyz says it. Members that are missing have nothing to say. */
export interface Readiness {
  readonly status: string;
  readonly backlogAgeSeconds?: number;
  readonly data?: readonly InstalledData[];
  readonly [check: string]: unknown;
}

export function searchAudit(query: AuditQuery, before?: number) {
  return call<AuditPage>('/app/data/audit', { query: { ...query, before, limit: 100 } });
}

export function jobQueue() {
  return call<JobQueue>('/app/data/jobs');
}

/** @param indicatorId without it, all dead letters. */
export function retryDeadLetters(indicatorId?: string) {
  return call<{ readonly revived: number }>('/app/data/jobs/retry', { body: { indicatorId } });
}

/** An unready service answers 503 with the same members. */
export async function readiness(): Promise<Readiness> {
  try {
    const response = await fetch('/readyz', { headers: { accept: 'application/json' } });
    return (await response.json()) as Readiness;
  } catch {
    throw new ServiceError(0, { message: 'It may be stopped, or the network is down.' });
  }
}
