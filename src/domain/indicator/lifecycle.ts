// The lifecycle of an indicator: RAW, SCORED, ENRICHED, VERIFIED, one step at a time and never back.

import { ServiceError } from '../errors.ts';
import type { Instant } from '../instant.ts';
import { INDICATOR_STATES, type IndicatorState, numberOf } from '../vocabulary.ts';
import type { IndicatorRecord } from './indicator.ts';

/** The actor of every change of state that no person made. */
export const PIPELINE = 'pipeline';

/**
 * The updatedAt of the next version: always later than that of the version before, even if the clock steps back.
 * Readers of the feed distinguish versions by STIX `modified`, which is taken from it.
 */
export function nextVersionAt(updatedAt: Instant, now: Instant): Instant {
  return Math.max(now, updatedAt + 1);
}

/** A state can only move to the next one. */
function isMove(from: IndicatorState, to: IndicatorState): boolean {
  return from !== 'UNSPECIFIED' && numberOf(INDICATOR_STATES, to) === numberOf(INDICATOR_STATES, from) + 1;
}

/** The record after a person confirmed it. @throws ServiceError failed_precondition unless it is ENRICHED. */
export function confirmed(record: IndicatorRecord, at: Instant, actor: string): IndicatorRecord {
  return { ...advance(record, 'VERIFIED', at, actor), confirmed: record.indicator.categories };
}

/**
 * The record in its next state, with the transition in its history.
 * @param actor `pipeline`, or the subject of the person who acted.
 * @throws ServiceError failed_precondition unless `to` is the state after the current one.
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
    throw new ServiceError('failed_precondition', `an indicator in state ${from} cannot become ${to}`, {
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
