// The order in which jobs are done. Those that became due in one minute are done in the order of their views, because views
// that lie together share pages: under a backlog a page is then written once for several jobs.

import { MINUTE } from '../../../domain/instant.ts';

/** SQL for the minute in which a job is due. */
export const MINUTE_DUE = `due_at / ${MINUTE}`;

/** The jobs that are due at ?1, in their order. The first condition is the one that the index knows. */
export const DUE_JOBS = `job where dead = 0 and ${MINUTE_DUE} <= ?1 / ${MINUTE} and due_at <= ?1
  order by ${MINUTE_DUE}, seq, due_at`;

/** When the first job is due. */
export const FIRST_DUE = `select min(due_at) from job where dead = 0
  and ${MINUTE_DUE} = (select min(${MINUTE_DUE}) from job where dead = 0)`;
