// Verification: a person's confirmation, the last move of the lifecycle.

import { ServiceError } from '../domain/errors.ts';
import { advance } from '../domain/indicator/lifecycle.ts';
import type { Clock } from '../domain/instant.ts';
import { isVisible } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { answerOnce } from '../store/rules/idempotency.ts';
import type { Stores } from '../store/stores.ts';
import { type EncodeIndicator, publish, type RenderStix, type SyncCollections } from './publish.ts';

export interface Verification {
  readonly indicatorId: string;
  /** Subject of the person who confirms. */
  readonly actor: string;
  readonly ceiling: TlpMarking;
  readonly note: string;
  readonly requestId?: string;
}

export interface VerifyParts {
  readonly stores: Stores;
  readonly encodeIndicator: EncodeIndicator;
  readonly renderStix: RenderStix;
  readonly syncCollections: SyncCollections;
  readonly clock: Clock;
}

/**
 * ENRICHED becomes VERIFIED; VERIFIED stays. Resolves to the document of the indicator.
 * Rejects with `not_found` (also above the ceiling) or `failed_precondition` (RAW, SCORED).
 */
export type Verify = (verification: Verification) => Promise<string>;

export function createVerify(parts: VerifyParts): Verify {
  return ({ indicatorId, actor, ceiling, note, requestId }) =>
    parts.stores.write(async (tx) => {
      const now = parts.clock();
      const stored = (await tx.load([indicatorId])).get(indicatorId);
      if (stored === undefined || !isVisible(stored.record.indicator.tlp, ceiling)) {
        throw new ServiceError('not_found', 'no such indicator', { reason: 'INDICATOR_NOT_FOUND' });
      }
      const { record: current } = stored;
      const request = { scope: ['verify', actor], requestId, body: [indicatorId, note] };
      return answerOnce(tx, request, now, async () => {
        // Verifying twice changes nothing, so a client may retry without a request id.
        if (current.indicator.state === 'VERIFIED') return parts.encodeIndicator(current.indicator);
        await parts.syncCollections(tx);
        const { record, changes } = publish(advance(current, 'VERIFIED', now, actor), parts.renderStix);
        const document = parts.encodeIndicator(record.indicator);
        await tx.save([{ record, document }]);
        await tx.append(changes, now);
        await tx.audit({ at: now, actor, action: 'indicator.verify', target: indicatorId, detail: { note } });
        return document;
      });
    });
}
