// The caller as a reporter of events, for every interface that takes reports.

import { reporterId, shownName } from '../domain/indicator/source-name.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Reporter } from '../pipeline/reporter.ts';

/**
 * All reports of a credential form one independence group, whatever sources they name. A rotated key stays in the group
 * of the first key, so rotation adds no credibility.
 */
export function toReporter(caller: Caller): Reporter {
  const { id, reportsAs = id, account, reliability, ceiling, sources = [] } = caller;
  const name = shownName(caller.name);
  return {
    account,
    group: reportsAs,
    source: { id: reporterId(reportsAs), name, reliability },
    title: `${caller.credential === 'jwt' ? 'user' : 'key'} ${name}`,
    sources,
    ceiling,
  };
}
