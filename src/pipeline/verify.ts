// Verification: a person's confirmation, the last move of the lifecycle.

import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { advance, confirmed } from '../domain/indicator/lifecycle.ts';
import { judged } from '../domain/score/verdict.ts';
import { doAct, type HumanActParts, type HumanActRequest } from './human-act.ts';
import { requireInForce } from './in-force.ts';

/**
 * ENRICHED becomes VERIFIED; VERIFIED stays. The verdict is on the indicator, so it holds for all its views. A view that
 * is not enriched yet, or that is made later, is not verified: nobody has looked at it.
 *
 * Resolves and rejects as `doAct` does; with `failed_precondition` for RAW and SCORED, and for what is disputed or
 * withdrawn.
 */
export type Verify = (request: HumanActRequest) => Promise<string>;

export function createVerify(parts: HumanActParts): Verify {
  return (request) =>
    doAct(parts, request, {
      kind: 'CONFIRM',
      action: 'indicator.verify',
      change: (views, seen, { at, actor }) => {
        requireInForce(seen);
        // A view in another state is refused. Verifying twice changes nothing, so a client may retry without a request id.
        if (seen.indicator.state !== 'VERIFIED') advance(seen, 'VERIFIED', at, actor);
        if (!views.some(canBeVerified)) return views;
        return views.map((view) => (canBeVerified(view) ? judged(confirmed(view, at, actor)) : view));
      },
    });
}

function canBeVerified({ indicator, archivedAt }: IndicatorRecord): boolean {
  return indicator.state === 'ENRICHED' && archivedAt === undefined;
}
