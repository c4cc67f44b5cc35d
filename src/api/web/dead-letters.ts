// The queue of the pipeline for administrators: how much waits, which jobs failed for good, and another try for them.

import { invalidArgument, ServiceError } from '../../domain/errors.ts';
import { toRfc3339 } from '../../domain/instant.ts';
import { isVisible } from '../../domain/tlp.ts';
import { requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { RetryDeadLetters } from '../../pipeline/retry.ts';
import type { DeadJob, JobCounts, JobReader } from '../../store/jobs.ts';
import { type DataRoute, requireKnown, textIn } from './data-routes.ts';

const LIST_LIMIT = 1_000;

export interface DeadLetterParts {
  readonly jobs: JobReader;
  readonly retryDeadLetters: RetryDeadLetters;
}

/**
 * `GET /app/data/jobs`: the dead letters that the caller may see and, with the ceiling TLP:RED, the number of waiting jobs.
 * `POST /app/data/jobs/retry` with `indicatorId`, or without it for all of them.
 */
export function deadLetters({ jobs, retryDeadLetters }: DeadLetterParts): readonly DataRoute[] {
  const visible = async ({ ceiling }: Caller) =>
    (await jobs.dead(LIST_LIMIT)).filter(({ marking }) => isVisible(marking, ceiling));
  return [
    {
      method: 'GET',
      path: '/jobs',
      authorize: requireAdministrator,
      answer: async (input, caller) => {
        requireKnown(input, []);
        return {
          // Of all readers together, so only who may see all learns of it.
          ...(caller.ceiling === 'RED' ? waiting(await jobs.counts()) : {}),
          dead: (await visible(caller)).map(toJson),
        };
      },
    },
    {
      method: 'POST',
      path: '/jobs/retry',
      authorize: requireAdministrator,
      answer: async (input, caller) => {
        requireKnown(input, ['indicatorId']);
        const indicatorId = textIn(input, 'indicatorId');
        const mine = await visible(caller);
        if (indicatorId !== undefined && !mine.some((job) => job.indicatorId === indicatorId)) {
          throw new ServiceError('not_found', 'no dead letter of this indicator', {
            reason: 'DEAD_LETTER_NOT_FOUND',
          });
        }
        if (indicatorId === undefined && caller.ceiling !== 'RED') {
          throw invalidArgument([
            {
              field: 'indicatorId',
              description: 'is needed, since the ceiling TLP:RED alone covers all of them',
            },
          ]);
        }
        const retry = { actor: caller.actor, ...(indicatorId === undefined ? {} : { indicatorId }) };
        return { revived: await retryDeadLetters(retry) };
      },
    },
  ];
}

function requireAdministrator(caller: Caller): void {
  requireScope(caller, 'admin');
}

function waiting({ pending, oldestQueuedAt }: JobCounts): object {
  return {
    pending,
    ...(oldestQueuedAt === undefined ? {} : { oldestQueuedAt: toRfc3339(oldestQueuedAt) }),
  };
}

function toJson({ indicatorId, attempts, queuedAt, error }: DeadJob): object {
  return { indicatorId, attempts, queuedAt: toRfc3339(queuedAt), error };
}
