// What all STIX objects have in common, and how they become entries of the feed.

import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend } from '../../store/stores.ts';
import type { StixContext } from './stix-ids.ts';
import type { MarkingRefs } from './tlp-markings.ts';

/** What rendering needs to know of the installation. */
export interface RenderContext extends StixContext {
  /** The root of ids. */
  readonly secret: Buffer;
  /** When the service came into being: the objects that never change are as old. */
  readonly createdAt: Instant;
  readonly markingRefs: MarkingRefs;
}

/** The members that every object of ours begins with. */
export interface StixHeader {
  readonly type: string;
  readonly id: string;
  readonly createdAt: Instant;
  readonly modified: Instant;
  readonly tlp: TlpMarking;
}

/** An entry of the feed whose object has these members. Members that are undefined are left out. */
export function stixEntry(context: RenderContext, header: StixHeader, members: object): FeedAppend {
  const { type, id, modified, tlp } = header;
  const version = toRfc3339(modified);
  const object = JSON.stringify({
    type,
    spec_version: '2.1',
    id,
    created_by_ref: context.identityId,
    created: toRfc3339(header.createdAt),
    modified: version,
    ...members,
    object_marking_refs: context.markingRefs(tlp),
  });
  return { id, type, version, modified, tlp, object };
}
