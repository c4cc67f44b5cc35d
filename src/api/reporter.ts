// The caller as a reporter of events, for every interface that takes reports.

import { reporterId, shownName } from '../domain/indicator/source-name.ts';
import { isPerson } from '../gateway/authorize.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Reporter } from '../pipeline/reporter.ts';

/**
 * All reports of a credential form one independence group, whatever sources they name. A key that another credential made
 * stays in the group of that one, so that nobody gains credibility by making keys. A rotated key reports as the first of
 * its line.
 */
export function toReporter(caller: Caller): Reporter {
  const { id, reportsAs = id, group = reportsAs, account, reliability, ceiling, sources = [] } = caller;
  const name = shownName(caller.name);
  return {
    account,
    id: reportsAs,
    group,
    source: { id: reporterId(reportsAs), name, reliability },
    title: `${isPerson(caller) ? 'user' : 'key'} ${name}`,
    sources,
    ceiling,
  };
}
