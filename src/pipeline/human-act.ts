// What a person does with an indicator, in one transaction: judged for the ceiling of the person, done to all views,
// published, and noted in the record and in the audit log.

import { invalidArgument, ServiceError } from '../domain/errors.ts';
import { type HumanAct, type HumanActKind, withAct } from '../domain/indicator/human-act.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { type Views, viewFor } from '../domain/indicator/views.ts';
import type { Clock, Instant } from '../domain/instant.ts';
import { isVisible } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { ViewKey } from '../store/indicators.ts';
import { answerOnce } from '../store/rules/idempotency.ts';
import type { Stores } from '../store/stores.ts';
import { type EncodeIndicator, publishChanged, type RenderStix, type SyncCollections } from './publish.ts';
import { LinkNews, type RenderLink } from './publish-links.ts';
import { writesOf } from './view-changes.ts';

export interface HumanActRequest {
  readonly indicatorId: string;
  /** Subject of the person who acts. */
  readonly actor: string;
  readonly ceiling: TlpMarking;
  /** The reason or the note. */
  readonly note: string;
  /** Who may read the note. UNSPECIFIED: who may see the indicator as the person sees it. */
  readonly tlp: TlpMarking;
  readonly requestId?: string;
}

export interface HumanActParts {
  readonly stores: Pick<Stores, 'write'>;
  readonly encodeIndicator: EncodeIndicator;
  readonly renderStix: RenderStix;
  readonly syncCollections: SyncCollections;
  /** As for ingest. */
  readonly renderLink?: RenderLink;
  readonly clock: Clock;
}

export interface HumanActRule {
  readonly kind: HumanActKind;
  /** In the audit log. */
  readonly action: string;
  /** Whether what the enrichers said of the score is out of date. The worker runs them again. */
  readonly enrichesAgain?: true;
  /**
   * The views after the act, or the same ones if there is nothing to do.
   * @param seen the view of the person.
   * @throws ServiceError `failed_precondition`.
   */
  readonly change: (views: Views, seen: IndicatorRecord, act: HumanAct) => Views;
}

/**
 * Does an act. Resolves to the document of the indicator for the ceiling. Rejects with `not_found` (also above the ceiling),
 * `failed_precondition`, or `invalid_argument` for a note above the ceiling of the person.
 */
export function doAct(parts: HumanActParts, request: HumanActRequest, rule: HumanActRule): Promise<string> {
  const { indicatorId, actor, ceiling, note, requestId } = request;
  return parts.stores.write(async (tx) => {
    const now = parts.clock();
    const views = (await tx.load([indicatorId])).get(indicatorId) ?? [];
    const seen = viewFor(views, ceiling);
    if (seen === undefined || seen.archivedAt !== undefined) throw notFound();
    const identified = { scope: [rule.action, actor], requestId, body: [indicatorId, note, request.tlp] };
    return answerOnce(tx, identified, now, async () => {
      const act = actOf(request, rule.kind, seen, now);
      const changed = rule.change(views, seen, act);
      if (changed === views) return parts.encodeIndicator(seen.indicator);
      await parts.syncCollections(tx);
      const { views: after, changes } = publishChanged(
        views,
        changed.map((view) => withEntry(view, act)),
        parts.renderStix,
      );
      await tx.save(writesOf(views, after, parts.encodeIndicator));
      if (rule.enrichesAgain === true) await tx.enqueue(keysOf(after), now);
      await tx.append(changes, now);
      if (parts.renderLink !== undefined) {
        const news = new LinkNews();
        news.noteViews(indicatorId, views, after);
        await news.publish(tx, parts.renderLink, now);
      }
      // With the marking of the words, since not everybody who reads the audit log may read them.
      const detail = { note, tlp: act.tlp };
      await tx.audit({ at: now, actor, action: rule.action, target: indicatorId, detail });
      return parts.encodeIndicator((viewFor(after, ceiling) ?? seen).indicator);
    });
  });
}

function keysOf(views: Views): readonly ViewKey[] {
  return views
    .filter(({ archivedAt }) => archivedAt === undefined)
    .map(({ indicator }) => ({ indicatorId: indicator.id, marking: indicator.tlp }));
}

function actOf(
  { actor, ceiling, note, tlp }: HumanActRequest,
  kind: HumanActKind,
  seen: IndicatorRecord,
  at: Instant,
): HumanAct {
  if (note === '') return { kind, at, actor, note, tlp: 'UNSPECIFIED' };
  if (tlp === 'UNSPECIFIED') return { kind, at, actor, note, tlp: seen.indicator.tlp };
  if (!isVisible(tlp, ceiling)) {
    const description = `is above your TLP ceiling ${ceiling}`;
    throw invalidArgument([{ field: 'tlp', description }], 'TLP_ABOVE_CEILING');
  }
  return { kind, at, actor, note, tlp };
}

/** An archived view that the act left in the archive keeps what it had. */
function withEntry(view: IndicatorRecord, act: HumanAct): IndicatorRecord {
  return view.archivedAt === undefined ? { ...view, acts: withAct(view.acts ?? [], act) } : view;
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'no such indicator', { reason: 'INDICATOR_NOT_FOUND' });
}
