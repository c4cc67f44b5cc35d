// Ids, header and feed entry of the STIX objects that the service makes.

import type { Audience } from '../../domain/audience.ts';
import { uuidBeside, uuidFrom } from '../../domain/indicator/identity.ts';
import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend } from '../../store/feed.ts';
import type { MarkingRefs } from './tlp-markings.ts';

/** Ids to which our objects refer. */
export interface StixContext {
  /** The service itself, the `created_by_ref` of all its objects. */
  readonly identityId: string;
  /** The definition of our extension, which has the properties that STIX lacks. */
  readonly extensionId: string;
}

/**
 * The id of an object of the service: version 4 in form (STIX 2.1 §2.9) and the same on every node. The UUID depends on
 * the type too, since STIX requires it to be unique over all types of one producer.
 * @param key identifies the object among those of its type, such as a technique id.
 */
export function stixId(secret: Buffer, type: string, key: string): string {
  return `${type}--${uuidFrom(secret, type, key)}`;
}

/**
 * The id of an object that belongs to an indicator.
 * @param key identifies the object among those of its type that belong to the indicator.
 */
export function ownedStixId(
  secret: Buffer,
  type: string,
  indicatorId: string,
  key: readonly unknown[],
): string {
  return `${type}--${uuidBeside(indicatorId, secret, type, JSON.stringify([indicatorId, ...key]))}`;
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

/** The id of the ThreatIndicator behind a STIX id, which may not exist; undefined for any other text. */
export function indicatorIdOf(stixId: string): string | undefined {
  return /^indicator--([0-9a-f-]{36})$/.exec(stixId)?.[1];
}

/** The properties of the installation that rendering needs. */
export interface RenderContext extends StixContext {
  /** Ids are derived from it. */
  readonly secret: Buffer;
  /** When the installation was created; objects that never change have this time. */
  readonly createdAt: Instant;
  readonly markingRefs: MarkingRefs;
}

/** The view of an indicator that is rendered: for whom its objects are. */
export interface ViewContext extends RenderContext {
  readonly audience: Audience;
}

/** The members with which each of our objects begins, and its audience. */
export interface StixHeader {
  readonly type: string;
  readonly id: string;
  readonly createdAt: Instant;
  readonly modified: Instant;
  readonly tlp: TlpMarking;
  readonly audience: Audience;
}

/** A feed entry whose object has these members. Undefined members are omitted. */
export function stixEntry(context: RenderContext, header: StixHeader, members: object): FeedAppend {
  const { type, id, modified, tlp, audience } = header;
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
  return { id, type, version, modified, audience, object };
}
