// Verification: a person's confirmation, the last move of the lifecycle.

import { ServiceError } from '../domain/errors.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { advance, confirmed } from '../domain/indicator/lifecycle.ts';
import { viewFor } from '../domain/indicator/views.ts';
import type { Clock } from '../domain/instant.ts';
import { judged } from '../domain/score/verdict.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { answerOnce } from '../store/rules/idempotency.ts';
import type { Stores } from '../store/stores.ts';
import { type EncodeIndicator, publishChanged, type RenderStix, type SyncCollections } from './publish.ts';
import { LinkNews, type RenderLink } from './publish-links.ts';
import { writesOf } from './view-changes.ts';

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
  /** As for ingest. */
  readonly renderLink?: RenderLink;
  readonly clock: Clock;
}

/**
 * ENRICHED becomes VERIFIED; VERIFIED stays. The verdict is on the indicator, so it holds for all its views. A view that
 * is not enriched yet, or that is made later, is not verified: nobody has looked at it.
 *
 * Resolves to the document of the indicator for the ceiling. Rejects with `not_found` (also above the ceiling) or
 * `failed_precondition` (RAW, SCORED).
 */
export type Verify = (verification: Verification) => Promise<string>;

export function createVerify(parts: VerifyParts): Verify {
  return ({ indicatorId, actor, ceiling, note, requestId }) =>
    parts.stores.write(async (tx) => {
      const now = parts.clock();
      const views = (await tx.load([indicatorId])).get(indicatorId) ?? [];
      const seen = viewFor(views, ceiling);
      if (seen === undefined || seen.archivedAt !== undefined) {
        throw new ServiceError('not_found', 'no such indicator', { reason: 'INDICATOR_NOT_FOUND' });
      }
      const request = { scope: ['verify', actor], requestId, body: [indicatorId, note] };
      return answerOnce(tx, request, now, async () => {
        // A view in another state is refused. Verifying twice changes nothing, so a client may retry without a request id.
        if (seen.indicator.state !== 'VERIFIED') advance(seen, 'VERIFIED', now, actor);
        if (!views.some(canBeVerified)) return parts.encodeIndicator(seen.indicator);
        await parts.syncCollections(tx);
        const { views: after, changes } = publishChanged(
          views,
          views.map((view) => (canBeVerified(view) ? judged(confirmed(view, now, actor)) : view)),
          parts.renderStix,
        );
        await tx.save(writesOf(views, after, parts.encodeIndicator));
        await tx.append(changes, now);
        if (parts.renderLink !== undefined) {
          const news = new LinkNews();
          news.noteViews(indicatorId, views, after);
          await news.publish(tx, parts.renderLink, now);
        }
        await tx.audit({ at: now, actor, action: 'indicator.verify', target: indicatorId, detail: { note } });
        return parts.encodeIndicator((viewFor(after, ceiling) ?? seen).indicator);
      });
    });
}

function canBeVerified({ indicator, archivedAt }: IndicatorRecord): boolean {
  return indicator.state === 'ENRICHED' && archivedAt === undefined;
}
