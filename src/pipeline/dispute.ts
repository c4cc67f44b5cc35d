// Dispute: a person says that an indicator is not what its categories say. Its confidence is 0 and it ends now, until
// somebody undoes the dispute. The feed gets a version of either.

import { returned } from '../domain/indicator/archive.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { disputed, undisputed } from '../domain/indicator/withdrawal.ts';
import type { Instant } from '../domain/instant.ts';
import { judged } from '../domain/score/verdict.ts';
import { doAct, type HumanActParts, type HumanActRequest } from './human-act.ts';
import { requireNotWithdrawn } from './in-force.ts';
import { score } from './score.ts';

/**
 * Disputes an indicator in all its views, also in archived ones and in views that are made later; `undo` takes that back.
 * A repeat changes nothing. Resolves and rejects as `doAct` does; with `failed_precondition` for what is withdrawn.
 */
export type Dispute = (request: HumanActRequest & { readonly undo: boolean }) => Promise<string>;

export function createDispute(parts: HumanActParts): Dispute {
  return ({ undo, ...request }) =>
    doAct(parts, request, {
      kind: undo ? 'UNDO_DISPUTE' : 'DISPUTE',
      action: undo ? 'indicator.undo-dispute' : 'indicator.dispute',
      enrichesAgain: true,
      change: (views, seen, { at }) => {
        requireNotWithdrawn(seen);
        if (views.every(({ disputedAt }) => (disputedAt === undefined) === undo)) return views;
        return views.map((view) => scoredAgain((undo ? undisputed : disputed)(returned(view), at), at));
      },
    });
}

/** A RAW view has no score yet; the pipeline gives it the right one. */
function scoredAgain(record: IndicatorRecord, at: Instant): IndicatorRecord {
  return record.indicator.state === 'RAW' ? record : judged(score(record, at));
}
