// The caller as a reporter of events, for every interface that takes reports.

import type { Caller } from '../gateway/caller.ts';
import type { Reporter } from '../pipeline/reporter.ts';

/**
 * All reports of a credential form one independence group, whatever sources they name. A rotated key stays in the group
 * of the first key, so rotation adds no credibility.
 */
export function toReporter({ id, reportsAs = id, account, name, reliability, ceiling }: Caller): Reporter {
  return { account, group: reportsAs, source: { id: reportsAs, name, reliability }, ceiling };
}
