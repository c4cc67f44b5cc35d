// The views of an indicator: what readers with different ceilings may know about one value.
//
// Every report keeps its marking. A reader sees the indicator as made from the reports that he may see, and from nothing
// else. So there is one view for each marking that the reports have, made from the reports with that marking or a less
// restrictive one. Each view is a complete record with a score, a history and a publication of its own. Nearly always
// all reports have one marking, and there is one view.

import { type Audience, readersOf } from '../audience.ts';
import type { Instant } from '../instant.ts';
import { judged } from '../score/verdict.ts';
import { isVisible } from '../tlp.ts';
import { numberOf, TLP_MARKINGS, type TlpMarking } from '../vocabulary.ts';
import { returned } from './archive.ts';
import type { IndicatorRecord } from './indicator.ts';
import { advance, nextVersionAt } from './lifecycle.ts';
import { type MergeContext, mergeObservation } from './merge.ts';
import type { Observation } from './sensor-event.ts';
import { withVerdictsOf } from './withdrawal.ts';

/**
 * Least restrictive marking first. The marking of a view is that of its indicator, and no two views have the same. A view
 * may be archived, but it still bounds the audience of the view below it.
 */
export type Views = readonly IndicatorRecord[];

/**
 * Merges a report into every view whose readers may see it. The first report with a marking makes a view: a copy of the
 * view below it, since its readers have seen that one until now, or else a new record.
 *
 * A withdrawal or a dispute is a verdict on the value. A view that is made afterwards has it from its start. An archived view
 * leaves the archive with a report, and no other view leaves it.
 */
export function withReport(views: Views, reported: Observation, context: MergeContext): Views {
  // Fails closed, as everywhere: a report without a marking is RED.
  const report: Observation = reported.tlp === 'UNSPECIFIED' ? { ...reported, tlp: 'RED' } : reported;
  const below = views.filter(({ indicator }) => compareMarkings(indicator.tlp, report.tlp) < 0);
  const above = views.slice(below.length).map((view) => merge(view, report, context));
  if (above[0]?.indicator.tlp === report.tlp) return [...below, ...above];
  const made = merge(below.at(-1), report, context);
  return [...below, withVerdictsOf(views, made, context.now), ...above];
}

function merge(
  view: IndicatorRecord | undefined,
  report: Observation,
  context: MergeContext,
): IndicatorRecord {
  return mergeObservation(view === undefined ? undefined : returned(view), report, context);
}

function compareMarkings(one: TlpMarking, other: TlpMarking): number {
  return numberOf(TLP_MARKINGS, one) - numberOf(TLP_MARKINGS, other);
}

/** The view of a reader: the last one whose reports he may see. Undefined if the indicator does not exist for him. */
export function viewFor(views: Views, ceiling: TlpMarking): IndicatorRecord | undefined {
  return views.findLast(({ indicator }) => isVisible(indicator.tlp, ceiling));
}

/** The readers of each view, in the order of the views: those who may see it, and not the next one. */
export function audiencesOf(views: Views): readonly Audience[] {
  return views.map(({ indicator }, index) => readersOf(indicator.tlp, views[index + 1]?.indicator.tlp));
}

/** An indicator after an operator has marked it anew. */
export interface Marked {
  /** One view, made from all reports. */
  readonly view: IndicatorRecord;
  /** The earlier views of readers who may not see the new marking, and those readers. */
  readonly lost: readonly { readonly view: IndicatorRecord; readonly audience: Audience }[];
}

/** Gives all reports of an indicator one marking. Undefined if they have it already. */
export function marked(views: Views, tlp: TlpMarking, now: Instant): Marked | undefined {
  const top = views.at(-1);
  if (top === undefined || (views.length === 1 && top.indicator.tlp === tlp)) return undefined;
  const readers = readersOf(tlp);
  const lost = audiencesOf(views).flatMap((audience, index) => {
    const view = views[index];
    return view === undefined || (audience & ~readers) === 0 ? [] : [{ view, audience: audience & ~readers }];
  });
  const latest = Math.max(...views.map(({ indicator }) => indicator.updatedAt));
  // A view that had the marking keeps its place in the order of creation.
  const { createdAt } = (views.find(({ indicator }) => indicator.tlp === tlp) ?? top).indicator;
  const view = withVerdict(returned(top), views);
  const indicator = { ...view.indicator, tlp, createdAt, updatedAt: nextVersionAt(latest, now) };
  return { view: { ...view, indicator }, lost };
}

/** A person's confirmation of another view counts. A view that is not enriched yet cannot show it. */
function withVerdict(view: IndicatorRecord, views: Views): IndicatorRecord {
  const other = views.find(({ indicator }) => indicator.state === 'VERIFIED');
  const verdict = other?.history.at(-1);
  if (verdict === undefined || view.indicator.state !== 'ENRICHED') return view;
  const advanced = advance(view, verdict.to, verdict.at, verdict.actor);
  // The person confirmed what the other view says, and no more.
  return judged(other?.confirmed === undefined ? advanced : { ...advanced, confirmed: other.confirmed });
}
