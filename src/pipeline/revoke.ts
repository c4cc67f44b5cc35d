// Revocation: withdraws an indicator that turned out to be wrong. The feed gets its last version, revoked.

import { ServiceError } from '../domain/errors.ts';
import { returned } from '../domain/indicator/archive.ts';
import { type HumanAct, withAct } from '../domain/indicator/human-act.ts';
import type { Views } from '../domain/indicator/views.ts';
import { withdrawn } from '../domain/indicator/withdrawal.ts';
import type { Instant } from '../domain/instant.ts';
import { doAct, type HumanActParts, type HumanActRequest } from './human-act.ts';
import { publishChanged } from './publish.ts';
import { writesOf } from './view-changes.ts';

export type RevokeParts = Pick<HumanActParts, 'stores' | 'encodeIndicator' | 'renderStix' | 'clock'>;

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
      // The operator sees the view with the most reports.
      const tlp = note === '' ? 'UNSPECIFIED' : (views.at(-1)?.indicator.tlp ?? 'UNSPECIFIED');
      const act: HumanAct = { kind: 'WITHDRAW', at: now, actor, note, tlp };
      const { views: after, changes } = publishChanged(
        views,
        withdrawnViews(views, now).map((view) => ({ ...view, acts: withAct(view.acts ?? [], act) })),
        parts.renderStix,
      );
      await tx.save(writesOf(views, after, parts.encodeIndicator));
      await tx.append(changes, now);
      const detail = { note, tlp };
      await tx.audit({ at: now, actor, action: 'indicator.revoke', target: indicatorId, detail });
      return now;
    });
}

/** The same as an act of a person with a ceiling. Resolves and rejects as `doAct` does. A repeat changes nothing. */
export function createWithdraw(parts: HumanActParts): (request: HumanActRequest) => Promise<string> {
  return (request) =>
    doAct(parts, request, {
      kind: 'WITHDRAW',
      action: 'indicator.revoke',
      change: (views, _seen, { at }) =>
        views.some(({ revokedAt }) => revokedAt !== undefined) ? views : withdrawnViews(views, at),
    });
}

function withdrawnViews(views: Views, now: Instant): Views {
  return views.map((view) => withdrawn(returned(view), now));
}
