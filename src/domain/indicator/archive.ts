// Which indicators go to the archive, and how they come back.

import type { Instant } from '../instant.ts';
import type { IndicatorRecord } from './indicator.ts';
import { nextVersionAt } from './lifecycle.ts';

/**
 * Whether an indicator went stale before an instant and nobody has judged it. What a person verified, disputed
 * or withdrew is kept. A record with a later observation is about to get a new validUntil.
 */
export function isLongStale({ indicator, revokedAt, disputedAt }: IndicatorRecord, before: Instant): boolean {
  const { state, validUntil, lastSeen } = indicator;
  return (
    revokedAt === undefined &&
    disputedAt === undefined &&
    state !== 'VERIFIED' &&
    validUntil !== undefined &&
    validUntil < before &&
    lastSeen < before
  );
}

/** The record as it goes to the archive. */
export function archived(record: IndicatorRecord, now: Instant): IndicatorRecord {
  const { indicator } = record;
  const updatedAt = nextVersionAt(indicator.updatedAt, now);
  return { ...record, archivedAt: now, indicator: { ...indicator, updatedAt } };
}

/** The record as it leaves the archive, with all its history. */
export function returned({ archivedAt, ...record }: IndicatorRecord): IndicatorRecord {
  return record;
}
