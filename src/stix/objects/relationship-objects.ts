// The STIX relationship objects of an indicator: relationships (STIX 2.1 §5.1), and sightings by one source on one UTC
// day (§5.2).

import type { Indicator, Sighting } from '../../domain/indicator/indicator.ts';
import { DAY, dayOf, type Instant, toRfc3339 } from '../../domain/instant.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend } from '../../store/feed.ts';
import type { ReferencedObjects } from './referenced-objects.ts';
import { indicatorStixId, ownedStixId, stixEntry, type ViewContext } from './stix-object.ts';

/** The target of a relationship, which all indicators of one marking share. */
export interface Related {
  /** Type and key of the target. It identifies the relationship among those of one indicator. */
  readonly key: string;
  readonly target: FeedAppend;
}

/**
 * ISO 3166-1 without the codes that it leaves to users, such as XK: a location names a country of that list (§4.12).
 */
const COUNTRY_CODE = /^(?!AA|Q[M-Z]|X[A-Z]|ZZ)[A-Z]{2}$/;

/** The targets that the enrichment of an indicator names. */
export function relatedObjects(
  { enrichment, tlp }: Indicator,
  shared: ReferencedObjects,
): readonly Related[] {
  if (enrichment === undefined) return [];
  const country = enrichment.geo?.countryCode ?? '';
  return [
    ...enrichment.malwareFamilies.map((family) => `malware:${family}`),
    ...enrichment.attackTechniques.map((id) => `attack-pattern:${id}`),
    ...(COUNTRY_CODE.test(country) ? [`location:${country}`] : []),
  ].map((key) => relatedBy(key, tlp, shared));
}

/**
 * The target of a known relationship at a marking.
 * @throws TypeError for a key that relatedObjects does not make.
 */
export function relatedBy(key: string, tlp: TlpMarking, shared: ReferencedObjects): Related {
  const colon = key.indexOf(':');
  const name = key.slice(colon + 1);
  switch (key.slice(0, colon)) {
    case 'malware':
      return { key, target: shared.malware(name, tlp) };
    case 'attack-pattern':
      return { key, target: shared.attackPattern(name, tlp) };
    case 'location':
      return { key, target: shared.country(name, tlp) };
    default:
      throw new TypeError(`${key} is not the key of a relationship`);
  }
}

/**
 * An indicator indicates malware and techniques (§4.7.2). To a place it has the one relationship that any two objects
 * may have (§3.7): `located-at` is for others.
 * @param createdAt is part of the id. A relationship that begins again after it was revoked is a new one (§3.6).
 */
export function renderRelationship(
  context: ViewContext,
  indicator: Indicator,
  { key, target }: Related,
  createdAt: Instant,
  revoked: boolean,
): FeedAppend {
  const { id, tlp, updatedAt } = indicator;
  const header = {
    type: 'relationship',
    id: ownedStixId(context.secret, 'relationship', id, [key, createdAt]),
    createdAt,
    modified: updatedAt,
    tlp,
    audience: context.audience,
  };
  const owner = indicatorStixId(id);
  return {
    ...stixEntry(context, header, {
      relationship_type: target.type === 'location' ? 'related-to' : 'indicates',
      source_ref: owner,
      target_ref: target.id,
      revoked: revoked || undefined,
    }),
    owner,
  };
}

/** §5.2: the highest count. */
export const SIGHTING_COUNT_LIMIT = 999_999_999;

/** The count, limited to what STIX allows. */
export function stixCount({ count }: Sighting): number {
  return count > SIGHTING_COUNT_LIMIT ? SIGHTING_COUNT_LIMIT : Number(count);
}

/** Identifies a sighting among those of one indicator. */
export function sightingKey({ sourceId, observedAt }: Sighting): string {
  return `${dayOf(observedAt)}/${sourceId}`;
}

/** @param source the identity of the source. */
export function renderSighting(
  context: ViewContext,
  indicator: Indicator,
  sighting: Sighting,
  source: FeedAppend,
  createdAt: Instant,
): FeedAppend {
  const { id, tlp, updatedAt, firstSeen } = indicator;
  const header = {
    type: 'sighting',
    id: ownedStixId(context.secret, 'sighting', id, [sightingKey(sighting)]),
    createdAt,
    modified: updatedAt,
    tlp,
    audience: context.audience,
  };
  const owner = indicatorStixId(id);
  const { observedAt } = sighting;
  return {
    ...stixEntry(context, header, {
      // The window of the count: the day, from the first observation of the indicator to the last one of the day.
      first_seen: toRfc3339(Math.min(Math.max(dayOf(observedAt) * DAY, firstSeen), observedAt)),
      last_seen: toRfc3339(observedAt),
      count: stixCount(sighting),
      sighting_of_ref: owner,
      where_sighted_refs: [source.id],
    }),
    owner,
  };
}
