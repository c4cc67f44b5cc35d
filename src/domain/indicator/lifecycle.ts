// The lifecycle of an indicator: RAW, SCORED, ENRICHED, VERIFIED, one step at a time and never back.

import { ServiceError } from '../errors.ts';
import type { Instant } from '../instant.ts';
import { INDICATOR_STATES, type IndicatorState, numberOf } from '../vocabulary.ts';
import type { IndicatorRecord } from './indicator.ts';

/** The actor of every move that no person made. */
export const PIPELINE = 'pipeline';

/**
 * The updatedAt of the next version. Versions never share a time, nor go back, even when the clock does: STIX
 * `modified` is taken from it, and readers of the feed tell versions apart by it.
 */
export function nextVersionAt(updatedAt: Instant, now: Instant): Instant {
  return Math.max(now, updatedAt + 1);
}

/** The only three moves there are: from each state to the next. */
function isMove(from: IndicatorState, to: IndicatorState): boolean {
  return from !== 'UNSPECIFIED' && numberOf(INDICATOR_STATES, to) === numberOf(INDICATOR_STATES, from) + 1;
}

/**
 * The record in its next state, with the move in its history.
 * @param actor `pipeline`, or the subject of the person who acted.
 * @throws ServiceError failed_precondition when `to` does not follow the current state; VERIFIED to VERIFIED too.
 */
export function advance(
  record: IndicatorRecord,
  to: IndicatorState,
  at: Instant,
  actor: string,
): IndicatorRecord {
  const { indicator, history } = record;
  const from = indicator.state;
  if (!isMove(from, to)) {
    throw new ServiceError('failed_precondition', `an indicator that is ${from} can not become ${to}`, {
      reason: 'ILLEGAL_TRANSITION',
      metadata: { from, to },
    });
  }
  return {
    ...record,
    indicator: { ...indicator, state: to, updatedAt: nextVersionAt(indicator.updatedAt, at) },
    history: [...history, { from, to, at, actor }],
  };
}
