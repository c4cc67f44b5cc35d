// Withdrawal and dispute: the verdicts that an indicator is wrong. A withdrawal is for good; a dispute can be undone.

import type { Instant } from '../instant.ts';
import { judged } from '../score/verdict.ts';
import { relabelled } from './computed-labels.ts';
import type { HumanAct } from './human-act.ts';
import type { IndicatorRecord } from './indicator.ts';
import { nextVersionAt } from './lifecycle.ts';

/** The record of a withdrawn indicator. Later reports are merged into it, and nothing of them is published. */
export function withdrawn(record: IndicatorRecord, now: Instant): IndicatorRecord {
  return newVersion({ ...record, revokedAt: now }, now);
}

/** The record of a disputed indicator. Its score and its end follow from this when it is scored again. */
export function disputed(record: IndicatorRecord, now: Instant): IndicatorRecord {
  return newVersion({ ...record, disputedAt: now }, now);
}

/** The record as if nobody had disputed it. */
export function undisputed({ disputedAt, ...record }: IndicatorRecord, now: Instant): IndicatorRecord {
  return newVersion(record, now);
}

function newVersion(record: IndicatorRecord, now: Instant): IndicatorRecord {
  const { indicator } = record;
  const updatedAt = nextVersionAt(indicator.updatedAt, now);
  return judged(relabelled({ ...record, indicator: { ...indicator, updatedAt } }));
}

/**
 * A view that a report made, with the verdicts of the other views: they are verdicts on the value. Its readers learn who
 * gave them and neither when nor why, since they could not know the indicator then.
 */
export function withVerdictsOf(
  views: readonly IndicatorRecord[],
  made: IndicatorRecord,
  now: Instant,
): IndicatorRecord {
  const isWithdrawn = made.revokedAt === undefined && views.some(({ revokedAt }) => revokedAt !== undefined);
  const isDisputed =
    made.disputedAt === undefined && views.some(({ disputedAt }) => disputedAt !== undefined);
  let record = made;
  if (isDisputed) record = disputed(withLast(views, 'DISPUTE', record, now), now);
  if (isWithdrawn) record = withdrawn(withLast(views, 'WITHDRAW', record, now), now);
  return record;
}

function withLast(
  views: readonly IndicatorRecord[],
  kind: HumanAct['kind'],
  record: IndicatorRecord,
  now: Instant,
): IndicatorRecord {
  const last = views.flatMap(({ acts = [] }) => acts).findLast((act) => act.kind === kind);
  if (last === undefined) return record;
  return { ...record, acts: [...(record.acts ?? []), { ...last, at: now, note: '', tlp: 'UNSPECIFIED' }] };
}
