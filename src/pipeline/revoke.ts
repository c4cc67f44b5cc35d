// Revocation: what was published turned out to be wrong, and readers of the feed are told so, once and for good.

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

/** By this label searches tell a withdrawn indicator. */
const LABEL = 'withdrawn';

/**
 * Withdraws an indicator. It stays in the store with its history and goes on collecting what is reported about it, but
 * nothing of that is published (STIX 2.1 §3.6: a revoked object has no later versions). A repeat changes nothing.
 * Resolves to when it was withdrawn; rejects with `not_found`.
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
