// The STIX relationship of a link between two indicators (STIX 2.1 §5.1).
//
// STIX defines no relationship between indicators, so it is `related-to`, the type that any two objects may have (§3.7)
// and that all clients know. The description and our extension name the kind.

import type { Audience } from '../../domain/audience.ts';
import type { LinkForReaders, LinkName } from '../../domain/evidence/link-for-readers.ts';
import type { LinkKind } from '../../domain/evidence/links.ts';
import { toRfc3339 } from '../../domain/instant.ts';
import type { FeedAppend } from '../../store/feed.ts';
import type { Installation } from '../../store/stores.ts';
import { indicatorStixId, ownedStixId, type RenderContext, stixContext, stixEntry } from './stix-object.ts';
import { markingRefs } from './tlp-markings.ts';

const DESCRIPTIONS: Readonly<Record<LinkKind, string>> = {
  downloaded: 'downloaded: the source downloaded the target.',
  'hosted-on': 'hosted-on: the source is hosted on the target.',
  dropped: 'dropped: the source dropped the target.',
  contacted: 'contacted: the source contacted the target.',
  'same-session': 'same-session: both were named in one session of a sensor.',
};

export interface RenderLinkOptions {
  readonly installation: Installation;
  /** As for renderStix. */
  readonly withTlp1: boolean;
}

/** The `RenderLink` port of the pipeline, for one installation. */
export function createRenderLink({ installation, withTlp1 }: RenderLinkOptions) {
  const { secret, createdAt } = installation;
  const context: RenderContext = {
    ...stixContext(secret),
    secret,
    createdAt,
    markingRefs: markingRefs(withTlp1),
  };
  const idOf = ({ kind, sourceId, targetId }: LinkName) =>
    ownedStixId(secret, 'relationship', sourceId, ['link', kind, targetId]);

  const render = (link: LinkForReaders, audience: Audience): FeedAppend => {
    const { kind, source, target, tlp } = link;
    const header = {
      type: 'relationship',
      id: idOf({ kind, sourceId: source.id, targetId: target.id }),
      // Both are those of one end, so that they depend on nothing but what the readers see.
      createdAt: Math.max(source.createdAt, target.createdAt),
      modified: Math.max(source.updatedAt, target.updatedAt),
      tlp,
      audience,
    };
    const [owner, secondOwner] = [indicatorStixId(source.id), indicatorStixId(target.id)];
    const entry = stixEntry(context, header, {
      relationship_type: 'related-to',
      description: DESCRIPTIONS[kind],
      source_ref: owner,
      target_ref: secondOwner,
      start_time: toRfc3339(link.first),
      extensions: { [context.extensionId]: extension(link) },
    });
    const news = materialOf(entry.object, context.extensionId);
    const isSaidBy = (newest: string) => materialOf(newest, context.extensionId) === news;
    return { ...entry, owner, secondOwner, isSaidBy };
  };
  return Object.assign(render, { idOf });
}

/** By the schema of initial-objects.ts. */
function extension({ kind, count, first, last }: LinkForReaders): object {
  return {
    extension_type: 'property-extension',
    link_kind: kind,
    link_count: count,
    first_seen: toRfc3339(first),
    last_seen: toRfc3339(last),
  };
}

/** What makes a new version when it changes: the marking, and a count that passed a power of two. */
function materialOf(object: string, extensionId: string): string {
  const { object_marking_refs, extensions } = JSON.parse(object) as {
    readonly object_marking_refs: unknown;
    readonly extensions: Readonly<Record<string, { readonly link_count: number }>>;
  };
  const count = extensions[extensionId]?.link_count ?? 0;
  return JSON.stringify([object_marking_refs, Math.floor(Math.log2(count))]);
}
