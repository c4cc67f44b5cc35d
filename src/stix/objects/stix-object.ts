// Ids, header and feed entry of the STIX objects that the service makes.

import { uuidFrom } from '../../domain/indicator/identity.ts';
import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend } from '../../store/stores.ts';
import type { MarkingRefs } from './tlp-markings.ts';

/** Ids that indicators refer to. */
export interface StixContext {
  /** The service itself: `created_by_ref` of all that it makes. */
  readonly identityId: string;
  /** Definition of the extension that carries what STIX has no property for. */
  readonly extensionId: string;
}

/**
 * The id of an object that the service made itself. The type goes into the UUID too, since STIX wants the UUID part
 * to be unique over all types of one producer.
 * @param key what tells objects of one type apart, such as a technique id.
 */
export function stixId(secret: Buffer, type: string, key: string): string {
  return `${type}--${uuidFrom(secret, type, key)}`;
}

/** @param secret the secret of the installation. */
export function stixContext(secret: Buffer): StixContext {
  return {
    identityId: stixId(secret, 'identity', 'service'),
    extensionId: stixId(secret, 'extension-definition', 'threat-indicator'),
  };
}

/** @param id of a ThreatIndicator. */
export function indicatorStixId(id: string): string {
  return `indicator--${id}`;
}

/** The id of the ThreatIndicator that a STIX id is of, whether or not there is one; undefined for every other text. */
export function indicatorIdOf(stixId: string): string | undefined {
  return /^indicator--([0-9a-f-]{36})$/.exec(stixId)?.[1];
}

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
