// Revocation: withdraws an indicator that turned out to be wrong. The feed gets its last version, revoked.

import { ServiceError } from '../domain/errors.ts';
import { returned } from '../domain/indicator/archive.ts';
import { withdrawn } from '../domain/indicator/withdrawal.ts';
import type { Clock } from '../domain/instant.ts';
import type { Stores } from '../store/stores.ts';
import { type EncodeIndicator, publishChanged, type RenderStix } from './publish.ts';
import { writesOf } from './view-changes.ts';

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

/**
 * Withdraws an indicator in all its views, also in archived ones. It stays in the store, and later reports are still
 * merged into it. Nothing of that is published, since a revoked object has no later versions (STIX 2.1 §3.6). A repeat
 * changes nothing. Resolves to the time of the withdrawal; rejects with `not_found`.
 */
export function createRevoke(parts: RevokeParts): (revocation: Revocation) => Promise<number> {
  return ({ indicatorId, actor, note }) =>
    parts.stores.write(async (tx) => {
      const views = (await tx.load([indicatorId])).get(indicatorId);
      if (views === undefined) {
        throw new ServiceError('not_found', 'no such indicator', { reason: 'INDICATOR_NOT_FOUND' });
      }
      // A view that is made later is withdrawn from its start, so one view speaks for all.
      const [known] = views.flatMap(({ revokedAt }) => revokedAt ?? []);
      if (known !== undefined) return known;
      const now = parts.clock();
      const { views: after, changes } = publishChanged(
        views,
        views.map((view) => withdrawn(returned(view), now)),
        parts.renderStix,
      );
      await tx.save(writesOf(views, after, parts.encodeIndicator));
      await tx.append(changes, now);
      await tx.audit({ at: now, actor, action: 'indicator.revoke', target: indicatorId, detail: { note } });
      return now;
    });
}
