// When a credential stops being good, measured so that a busy machine changes nothing: the service judges a request
// after it was sent and before its answer is there, and nothing else is known of that moment.

import { until } from './until.ts';

export interface EndOfAccess {
  /** When the last request that was let in was sent: access had not ended before that. */
  readonly lastLetIn: number;
  /** When the first refusal was there: access had ended by then. */
  readonly refusedBy: number;
}

/** Asks again and again until it is refused. Times are those of `Date.now()`. */
export async function endOfAccess(isLetIn: () => Promise<boolean>): Promise<EndOfAccess> {
  let lastLetIn = Number.NEGATIVE_INFINITY;
  await until(
    'a refusal',
    async () => {
      const sentAt = Date.now();
      if (!(await isLetIn())) return true;
      lastLetIn = sentAt;
      return false;
    },
    30_000,
  );
  return { lastLetIn, refusedBy: Date.now() };
}
