// Revocation: withdraws an indicator that turned out to be wrong. The feed gets its last version, revoked.

import { ServiceError } from '../domain/errors.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { nextVersionAt } from '../domain/indicator/lifecycle.ts';
import { type Clock, toRfc3339 } from '../domain/instant.ts';
import { compareText } from '../domain/sorted-list.ts';
import type { Stores } from '../store/stores.ts';
import { type EncodeIndicator, publish, type RenderStix } from './publish.ts';

export interface RevokeParts {
  readonly stores: Pick<Stores, 'write'>;
  readonly encodeIndicator: EncodeIndicator;
  readonly renderStix: RenderStix;
  readonly clock: Clock;
}

export interface Revocation {
  readonly indicatorId: string;
  readonly actor: string;
  readonly note: string;
}

/** The label of a withdrawn indicator in search results. */
const LABEL = 'withdrawn';

/**
 * Withdraws an indicator. It stays in the store, and later reports are still merged into it. Nothing of that is
 * published, since a revoked object has no later versions (STIX 2.1 §3.6). A repeat changes nothing. Resolves to the
 * time of the withdrawal; rejects with `not_found`.
 */
export function createRevoke(parts: RevokeParts): (revocation: Revocation) => Promise<number> {
  return ({ indicatorId, actor, note }) =>
    parts.stores.write(async (tx) => {
      const stored = (await tx.load([indicatorId])).get(indicatorId);
      if (stored === undefined) {
        throw new ServiceError('not_found', 'no such indicator', { reason: 'INDICATOR_NOT_FOUND' });
      }
      if (stored.record.revokedAt !== undefined) return stored.record.revokedAt;
      const now = parts.clock();
      const { record, changes } = publish(withdrawn(stored.record, now), parts.renderStix);
      await tx.save([{ record, document: parts.encodeIndicator(record.indicator) }]);
      await tx.append(changes, now);
      await tx.audit({ at: now, actor, action: 'indicator.revoke', target: indicatorId, detail: { note } });
      return now;
    });
}

function withdrawn(record: IndicatorRecord, now: number): IndicatorRecord {
  const { indicator } = record;
  const labels = [
    ...indicator.labels.filter(({ key }) => key !== LABEL),
    { key: LABEL, value: toRfc3339(now) },
  ];
  labels.sort((a, b) => compareText(a.key, b.key) || compareText(a.value, b.value));
  return {
    ...record,
    revokedAt: now,
    indicator: { ...indicator, labels, updatedAt: nextVersionAt(indicator.updatedAt, now) },
  };
}
