// Marking: an operator gives all reports of an indicator another marking.

import { NOBODY, readersOf } from '../domain/audience.ts';
import { ServiceError } from '../domain/errors.ts';
import { underOneMarking } from '../domain/evidence/kept-evidence.ts';
import { keptLink } from '../domain/evidence/links.ts';
import { marked } from '../domain/indicator/views.ts';
import { withdrawn } from '../domain/indicator/withdrawal.ts';
import type { Clock, Instant } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { indicatorStixId } from '../stix/objects/stix-object.ts';
import type { FeedChange } from '../store/feed.ts';
import type { Stores } from '../store/stores.ts';
import { type EncodeIndicator, publish, type RenderStix, type SyncCollections } from './publish.ts';
import { LinkNews, type RenderLink } from './publish-links.ts';
import { writesOf } from './view-changes.ts';

export interface MarkParts {
  readonly stores: Pick<Stores, 'write'>;
  readonly encodeIndicator: EncodeIndicator;
  readonly renderStix: RenderStix;
  readonly syncCollections: SyncCollections;
  /** As for ingest. */
  readonly renderLink?: RenderLink;
  readonly clock: Clock;
}

export interface MarkRequest {
  readonly indicatorId: string;
  readonly actor: string;
  readonly tlp: TlpMarking;
  readonly note: string;
}

/**
 * Gives all reports of an indicator one marking. Those who may see the marking get a new version made from all reports.
 * Those who may not, and saw the indicator until now, get a revoked version, and all they saw of it before is hidden. A
 * repeat changes nothing. Resolves to whether something changed; rejects with `not_found`.
 */
export function createMark(parts: MarkParts): (request: MarkRequest) => Promise<boolean> {
  return ({ indicatorId, actor, tlp, note }) =>
    parts.stores.write(async (tx) => {
      const views = (await tx.load([indicatorId])).get(indicatorId);
      if (views === undefined) {
        throw new ServiceError('not_found', 'no such indicator', { reason: 'INDICATOR_NOT_FOUND' });
      }
      const now = parts.clock();
      const change = marked(views, tlp, now);
      if (change === undefined) return false;
      await parts.syncCollections(tx);
      const published = publish(change.view, readersOf(tlp), parts.renderStix);
      const top = views.at(-1)?.indicator.tlp;
      const before = views.map(({ indicator }) => indicator.tlp);
      const kept = (await tx.loadEvidence([indicatorId])).get(indicatorId);
      await tx.removeEvidence(indicatorId);
      await tx.save(
        writesOf([], [published.record], parts.encodeIndicator).map((write) =>
          top === undefined || before.includes(tlp) ? write : { ...write, madeFrom: top },
        ),
      );
      await tx.removeViews(
        indicatorId,
        before.filter((marking) => marking !== tlp),
      );
      if (kept !== undefined)
        await tx.saveEvidence([{ indicatorId, marking: tlp, evidence: underOneMarking([...kept.values()]) }]);
      // It may wait for its first score, and the jobs of the removed views have nothing to do.
      await tx.enqueue([{ indicatorId, marking: tlp }], now);
      await tx.append([...hidden(change.lost, now, parts.renderStix), ...published.changes], now);
      if (parts.renderLink !== undefined) {
        const news = new LinkNews();
        for (const { links } of kept?.values() ?? [])
          for (const item of links.items.values())
            news.noteLink({ indicatorId, link: keptLink(item), marking: tlp });
        await news.publish(tx, parts.renderLink, now);
      }
      await tx.audit({
        at: now,
        actor,
        action: 'indicator.mark',
        target: indicatorId,
        detail: { tlp, note },
      });
      return true;
    });
}

/** Revokes each lost view for its readers, and hides everything else of it. */
function hidden(
  lost: NonNullable<ReturnType<typeof marked>>['lost'],
  now: Instant,
  renderStix: RenderStix,
): readonly FeedChange[] {
  const [first] = lost;
  if (first === undefined) return [];
  const from = lost.reduce((sum, { audience }) => sum | audience, NOBODY);
  return [
    ...lost.flatMap(({ view, audience }) => renderStix(withdrawn(view, now), false, audience).changes),
    { id: indicatorStixId(first.view.indicator.id), from },
  ];
}
