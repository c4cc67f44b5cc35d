// Readiness: whether the service can do its work (/readyz).

import { type Clock, type Instant, SECOND } from '../domain/instant.ts';
import type { ClockState } from '../domain/service-times.ts';
import type { Damage } from '../store/damage.ts';
import type { JobReader } from '../store/jobs.ts';

/** A thread without a heartbeat for longer than this hangs. Its longest batch takes a tenth of this time. */
const SILENCE_LIMIT_MS = 15_000;

/** The last heartbeat of a thread. */
export interface ThreadHealth {
  /** Time since the heartbeat. */
  readonly silentMs: number;
  readonly storeWritable: boolean;
}

/** The clock of the machine and the times of the service. */
export interface ClockHealth {
  readonly state: ClockState;
  readonly machine: Instant;
  readonly service: Instant;
  readonly expiry: Instant;
}

export interface Readiness {
  readonly status: 'ready' | 'unready' | 'stopping';
  /** Waiting time of the oldest due job. Absent if the store cannot be read. */
  readonly backlogAgeSeconds?: number;
  readonly backlogWithinLimit: boolean;
  readonly storeReadable: boolean;
  readonly storeWritable: boolean;
  /** False when a file of the store is damaged: nothing is answered from it. */
  readonly storeIntact: boolean;
  readonly pipelineAlive: boolean;
  /** A clock that stepped does not make the service unready: what it does with it is safe. */
  readonly clock: ClockState;
  /** How far the machine is ahead of the service; negative when it is behind. Absent with a steady clock. */
  readonly clockOffsetSeconds?: number;
  /** The damaged files. Absent if there are none. */
  readonly damage?: readonly DamagedFile[];
  /** The installed data of the enrichers. Its age does not make the service unready. Absent if none is installed. */
  readonly data?: readonly DataHealth[];
}

/** Installed data with its licence and the attribution that this asks for. */
export interface DataHealth {
  readonly kind: string;
  readonly name: string;
  readonly version?: string;
  /** RFC 3339. */
  readonly builtAt: string;
  readonly ageDays: number;
  readonly licence?: string;
  readonly attribution?: string;
}

/** Without the folder, and without the particulars: those are in the log. */
type DamagedFile = Pick<Damage, 'file' | 'problem'>;

export interface ReadinessParts {
  readonly jobs: Pick<JobReader, 'nextDueAt'>;
  readonly threads: () => readonly ThreadHealth[];
  readonly damages: () => readonly Damage[];
  readonly data: () => readonly DataHealth[];
  readonly stopping: AbortSignal;
  readonly backlogLimitSeconds: number;
  readonly clock: Clock;
  readonly clockReport: () => ClockHealth;
}

/** The function never rejects. It is cheap enough for unauthenticated callers. */
export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  return async () => {
    const backlogAgeSeconds = await backlogAge(parts.jobs, parts.clock).catch(() => undefined);
    const threads = parts.threads();
    const data = parts.data();
    const damage = parts.damages().map(({ file, problem }): DamagedFile => ({ file, problem }));
    const checks = {
      backlogWithinLimit: backlogAgeSeconds !== undefined && backlogAgeSeconds <= parts.backlogLimitSeconds,
      storeReadable: backlogAgeSeconds !== undefined,
      storeWritable: threads.every(({ storeWritable }) => storeWritable),
      storeIntact: damage.length === 0,
      pipelineAlive: threads.every(({ silentMs }) => silentMs <= SILENCE_LIMIT_MS),
    };
    const ready = Object.values(checks).every((passed) => passed);
    return {
      status: parts.stopping.aborted ? 'stopping' : ready ? 'ready' : 'unready',
      ...(backlogAgeSeconds === undefined ? {} : { backlogAgeSeconds }),
      ...checks,
      ...clockMembers(parts.clockReport()),
      ...(damage.length === 0 ? {} : { damage }),
      ...(data.length === 0 ? {} : { data }),
    };
  };
}

function clockMembers(health: ClockHealth): Pick<Readiness, 'clock' | 'clockOffsetSeconds'> {
  const clock = health.state;
  return clock === 'steady' ? { clock } : { clock, clockOffsetSeconds: clockOffsetSeconds(health) };
}

/** How far the machine is ahead of the service time, or, as a negative number, behind the latest time it has shown. */
export function clockOffsetSeconds({ machine, service, expiry }: ClockHealth): number {
  const ahead = Math.max(0, machine - service);
  return (ahead > 0 ? ahead : Math.min(0, machine - Math.max(service, expiry))) / SECOND;
}

/**
 * Waiting time of the oldest due job, in seconds. Jobs that are leased or wait for a retry are not due, so one indicator
 * that keeps failing does not make the service unready.
 */
export async function backlogAge(jobs: Pick<JobReader, 'nextDueAt'>, clock: Clock): Promise<number> {
  const dueAt = await jobs.nextDueAt();
  return dueAt === undefined ? 0 : Math.max(0, (clock() - dueAt) / 1_000);
}
