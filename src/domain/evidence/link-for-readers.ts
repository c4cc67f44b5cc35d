// A link as readers of the feed find it. Both ends have to keep it, and to be published for the reader: so the bound on what
// an end keeps (kept-evidence.ts) also bounds how many links of it the feed holds.

import { type Audience, ceilingsOf, NOBODY, readersAt } from '../audience.ts';
import type { Indicator, IndicatorRecord } from '../indicator/indicator.ts';
import { type Views, viewFor } from '../indicator/views.ts';
import type { Instant } from '../instant.ts';
import { isVisible, moreRestrictive } from '../tlp.ts';
import type { TlpMarking } from '../vocabulary.ts';
import type { KeptEvidence } from './kept-evidence.ts';
import { type KeptLink, type LinkKind, linkEntry } from './links.ts';
import { itemIn } from './tally.ts';

/** Names a link by its ends. */
export interface LinkName {
  readonly kind: LinkKind;
  readonly sourceId: string;
  readonly targetId: string;
}

/** What the store has about one end. */
export interface LinkEnd {
  readonly views: Views;
  readonly evidence: ReadonlyMap<TlpMarking, KeptEvidence>;
}

export interface LinkForReaders {
  readonly kind: LinkKind;
  readonly source: Indicator;
  readonly target: Indicator;
  readonly count: number;
  readonly first: Instant;
  readonly last: Instant;
  /** The most restrictive of the markings of both ends and of the reports that made the link. */
  readonly tlp: TlpMarking;
}

/** The name of a link that an indicator keeps. A link without a direction has one name from both ends. */
export function linkName(id: string, { kind, otherId, fromOther }: KeptLink): LinkName {
  const isSource = kind === 'same-session' ? id < otherId : !fromOther;
  return { kind, sourceId: isSource ? id : otherId, targetId: isSource ? otherId : id };
}

/** The link as each of some readers finds it. Those who find the same are together. */
export function linkForReaders(
  { kind, sourceId, targetId }: LinkName,
  source: LinkEnd,
  target: LinkEnd,
  readers: Audience,
): readonly { readonly link: LinkForReaders | undefined; readonly audience: Audience }[] {
  const fromSource = { kind, otherId: targetId, fromOther: false };
  const fromTarget = { kind, otherId: sourceId, fromOther: true };
  const groups: { link: LinkForReaders | undefined; audience: Audience }[] = [];
  for (const ceiling of ceilingsOf(readers)) {
    const link = joined(kind, endFor(source, fromSource, ceiling), endFor(target, fromTarget, ceiling));
    const same = groups.find((group) => areEqual(group.link, link));
    if (same === undefined) groups.push({ link, audience: readersAt(ceiling) });
    else same.audience |= readersAt(ceiling);
  }
  return groups.filter(({ audience }) => audience !== NOBODY);
}

type End = Omit<LinkForReaders, 'kind' | 'source' | 'target'> & { readonly indicator: Indicator };

/** Undefined if the reader does not find the end in the feed, or if the end does not keep the link for him. */
function endFor({ views, evidence }: LinkEnd, link: KeptLink, ceiling: TlpMarking): End | undefined {
  const view = viewFor(views, ceiling);
  if (view === undefined || !isInFeed(view)) return undefined;
  const { indicator } = view;
  const entry = linkEntry(link);
  let end: End | undefined;
  for (const [marking, { links }] of evidence) {
    const item = isVisible(marking, ceiling) ? itemIn(links, entry) : undefined;
    if (item === undefined) continue;
    end = {
      indicator,
      count: Math.min((end?.count ?? 0) + item.count, Number.MAX_SAFE_INTEGER),
      first: Math.min(end?.first ?? item.first, item.first),
      last: Math.max(end?.last ?? item.last, item.last),
      tlp: moreRestrictive(end?.tlp ?? indicator.tlp, marking),
    };
  }
  return end;
}

function isInFeed({ feed, revokedAt, archivedAt, neverBlock }: IndicatorRecord): boolean {
  if (feed === undefined || feed.revoked || revokedAt !== undefined) return false;
  return archivedAt === undefined && neverBlock === undefined;
}

function joined(
  kind: LinkKind,
  source: End | undefined,
  target: End | undefined,
): LinkForReaders | undefined {
  if (source === undefined || target === undefined) return undefined;
  const { count, first, last } = source;
  const tlp = moreRestrictive(source.tlp, target.tlp);
  return { kind, source: source.indicator, target: target.indicator, count, first, last, tlp };
}

function areEqual(one: LinkForReaders | undefined, other: LinkForReaders | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.source === other.source &&
    one.target === other.target &&
    one.count === other.count &&
    one.first === other.first &&
    one.last === other.last &&
    one.tlp === other.tlp
  );
}
