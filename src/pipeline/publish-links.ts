// Publishing links as relationships in the feed (docs/decisions/0054-links-in-the-feed.md).
//
// A link is looked at when its count changes, and when one of its ends enters the feed, is marked anew or joins a
// collection. What readers should find then goes to the store, which appends it only if it is news to them. So nothing has
// to remember what was published. A change is looked at only for the readers who see the change: for others, a time at
// which something happens must not depend on it.

import { type Audience, NOBODY, readersOf } from '../domain/audience.ts';
import {
  type LinkEnd,
  type LinkForReaders,
  type LinkName,
  linkForReaders,
  linkName,
} from '../domain/evidence/link-for-readers.ts';
import type { KeptLink } from '../domain/evidence/links.ts';
import { keptLink } from '../domain/evidence/links.ts';
import type { FeedState } from '../domain/indicator/indicator.ts';
import { audiencesOf, type Views } from '../domain/indicator/views.ts';
import type { Instant } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { FeedAppend, FeedChange } from '../store/feed.ts';
import type { WriteTransaction } from '../store/stores.ts';

/** The relationship of a link, made by `stix/`. */
export interface RenderLink {
  (link: LinkForReaders, audience: Audience): FeedAppend;
  idOf(name: LinkName): string;
}

/** A link that an indicator keeps for reports with a marking, or kept until now. */
export interface TouchedLink {
  readonly indicatorId: string;
  readonly link: KeptLink;
  readonly marking: TlpMarking;
}

/** The links that may be news after the changes of one transaction. */
export class LinkNews {
  readonly #links = new Map<string, { readonly name: LinkName; audience: Audience }>();
  readonly #ends = new Map<string, Audience>();

  noteLink({ indicatorId, link, marking }: TouchedLink): void {
    this.#note(linkName(indicatorId, link), readersOf(marking));
  }

  /** Notes a view after its publication. @param before the state of its publication until then. */
  noteView(
    indicatorId: string,
    audience: Audience,
    before: FeedState | undefined,
    after: FeedState | undefined,
  ): void {
    if (after === undefined || isSame(before, after)) return;
    this.#ends.set(indicatorId, (this.#ends.get(indicatorId) ?? NOBODY) | audience);
  }

  /** Notes all views of an indicator. None of them is new. */
  noteViews(indicatorId: string, before: Views, after: Views): void {
    const audiences = audiencesOf(after);
    for (const [index, { feed }] of after.entries())
      this.noteView(indicatorId, audiences[index] ?? NOBODY, before[index]?.feed, feed);
  }

  /** Appends what is news, after the indicators and the evidence of the transaction. */
  async publish(tx: WriteTransaction, render: RenderLink, now: Instant): Promise<void> {
    if (this.#links.size === 0 && this.#ends.size === 0) return;
    const ends = [...this.#ends.keys()];
    const kept = await tx.loadEvidence(ends);
    for (const [id, audience] of this.#ends) {
      for (const { links } of kept.get(id)?.values() ?? [])
        for (const item of links.items.values()) this.#note(linkName(id, keptLink(item)), audience);
    }
    const names = [...this.#links.values()].map(({ name }) => name);
    const ids = [...new Set(names.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))];
    const views = await tx.load(ids);
    const evidence = await tx.loadEvidence(ids);
    const endOf = (id: string): LinkEnd => ({
      views: views.get(id) ?? [],
      evidence: evidence.get(id) ?? new Map(),
    });
    const removals: FeedChange[] = [];
    const versions: FeedChange[] = [];
    for (const { name, audience: readers } of this.#links.values()) {
      for (const { link, audience } of linkForReaders(
        name,
        endOf(name.sourceId),
        endOf(name.targetId),
        readers,
      )) {
        if (link !== undefined) versions.push(render(link, audience));
        else removals.push({ id: render.idOf(name), from: audience, removes: 'object' });
      }
    }
    await tx.append([...removals, ...versions], now);
  }

  #note(name: LinkName, audience: Audience): void {
    const key = `${name.kind} ${name.sourceId} ${name.targetId}`;
    const known = this.#links.get(key);
    if (known === undefined) this.#links.set(key, { name, audience });
    else known.audience |= audience;
  }
}

function isSame(before: FeedState | undefined, after: FeedState): boolean {
  return (
    before !== undefined &&
    before.tlp === after.tlp &&
    before.archived === after.archived &&
    before.collections.length === after.collections.length
  );
}
