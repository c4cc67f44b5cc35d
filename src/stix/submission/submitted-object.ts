// Reads and validates one submitted indicator or sighting.

import { CLOCK_SKEW_LIMIT, HOUR, type Instant } from '../../domain/instant.ts';
import { moreRestrictive } from '../../domain/tlp.ts';
import type { ThreatCategory, TlpMarking } from '../../domain/vocabulary.ts';
import { SIGHTING_COUNT_LIMIT } from '../objects/relationship-objects.ts';
import { categoriesOf } from '../objects/stix-vocabulary.ts';
import { markingOf } from '../objects/tlp-markings.ts';
import { type PatternTerm, readPattern } from '../pattern/pattern-reader.ts';
import { excerpt, StixFault } from '../stix-fault.ts';
import {
  type CommonMembers,
  INDICATOR,
  membersOf,
  requiredTimeOf,
  SIGHTING,
  type StixObject,
  type StixTime,
  timeOf,
} from './stix-members.ts';

/** The content that both kinds of objects share. */
interface SubmittedObject {
  readonly id: string;
  /** `modified`. */
  readonly version: StixTime;
  /** UNSPECIFIED without a marking. */
  readonly tlp: TlpMarking;
  /** 0 to 1; 1 for an object without `confidence`. */
  readonly confidence: number;
  readonly tags: readonly string[];
  /** The categories that labels and indicator types name. */
  readonly categories: readonly ThreatCategory[];
}

export interface SubmittedIndicator extends SubmittedObject {
  /** The distinct values of its pattern. */
  readonly terms: readonly PatternTerm[];
  /** The last time at which the sender declared it valid: `modified`, or `valid_until` if that is earlier. */
  readonly heldAt: number;
}

export interface SubmittedSighting extends SubmittedObject {
  readonly sightingOf: string;
  readonly count: number;
  /** Milliseconds. */
  readonly seenAt: number;
}

const ID = /^(indicator|sighting)--[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TAG_LIMIT = 50;
const TAG_LENGTH_LIMIT = 100;

/** @throws StixFault, also if `valid_from` lies too far after `now`. */
export function readIndicator(object: StixObject, ja3Path: string, now: Instant): SubmittedIndicator {
  const members = membersOf(object, INDICATOR);
  const common = readCommon(members);
  const validFrom = requiredTimeOf(members, 'valid_from');
  const validUntil = timeOf(members, 'valid_until');
  if (validUntil !== undefined && validUntil.exact <= validFrom.exact)
    throw new StixFault('valid_until is not later than valid_from');
  if (validFrom.millis > now + CLOCK_SKEW_LIMIT)
    throw new StixFault(`valid_from lies more than ${CLOCK_SKEW_LIMIT / HOUR} hours in the future`);
  if (members.pattern_type !== 'stix') throw new StixFault('pattern_type must be stix');
  if (members.indicator_types?.includes('benign') === true)
    throw new StixFault('an indicator of type benign is not a threat');
  const read = readPattern(members.pattern ?? '', ja3Path);
  const terms = new Map(read.map((term) => [`${term.type}:${term.value}`, term]));
  const categories = categoriesOf(common.tags, members.indicator_types ?? []);
  const heldAt = Math.min(common.version.millis, validUntil?.millis ?? Number.POSITIVE_INFINITY);
  return { ...common, categories, heldAt, terms: [...terms.values()] };
}

/** @throws StixFault. */
export function readSighting(object: StixObject): SubmittedSighting {
  const members = membersOf(object, SIGHTING);
  const common = readCommon(members);
  const { count = 1, sighting_of_ref: sightingOf = '' } = members;
  if (!Number.isInteger(count) || count < 1 || count > SIGHTING_COUNT_LIMIT)
    throw new StixFault(`count is not a whole number from 1 to ${SIGHTING_COUNT_LIMIT}`);
  const first = timeOf(members, 'first_seen');
  const last = timeOf(members, 'last_seen');
  if (first !== undefined && last !== undefined && last.exact < first.exact)
    throw new StixFault('last_seen lies before first_seen');
  const categories = categoriesOf(common.tags, []);
  return { ...common, categories, sightingOf, count, seenAt: (last ?? first ?? common.version).millis };
}

function readCommon(members: CommonMembers): Omit<SubmittedObject, 'categories'> {
  const { id = '', type, spec_version: specVersion } = members;
  if (ID.exec(id)?.[1] !== type) throw new StixFault('the id is not a STIX id');
  if (specVersion !== '2.1') throw new StixFault('spec_version must be 2.1');
  const created = requiredTimeOf(members, 'created');
  const version = requiredTimeOf(members, 'modified');
  if (version.exact < created.exact) throw new StixFault('modified lies before created');
  if (members.revoked === true) throw new StixFault('a revoked object does not withdraw an earlier report');
  return { id, version, tlp: tlpOf(members), confidence: confidenceOf(members), tags: tagsOf(members) };
}

/** An object with a marking that we cannot keep is refused. Without a marking, the configured default applies. */
function tlpOf({ granular_markings: granular, object_marking_refs: refs = [] }: CommonMembers): TlpMarking {
  if (granular !== undefined) throw new StixFault('granular markings are not supported');
  let tlp: TlpMarking = 'UNSPECIFIED';
  for (const ref of refs) {
    const marking = markingOf(ref);
    if (marking === undefined) throw new StixFault(`the marking ${excerpt(ref, 100)} is not a TLP marking`);
    tlp = moreRestrictive(tlp, marking);
  }
  return tlp;
}

/** An object without `confidence` counts with the full reliability of the sender. */
function confidenceOf({ confidence = 100 }: CommonMembers): number {
  if (!Number.isInteger(confidence) || confidence < 0 || confidence > 100)
    throw new StixFault('confidence is not a whole number from 0 to 100');
  if (confidence === 0) throw new StixFault('confidence 0 means no confidence (STIX 2.1 Appendix A)');
  return confidence / 100;
}

function tagsOf({ labels = [] }: CommonMembers): readonly string[] {
  const tags = new Set<string>();
  for (const label of labels) {
    if (tags.size === TAG_LIMIT) break;
    if (label !== '' && label.length <= TAG_LENGTH_LIMIT && !/\p{Cc}/u.test(label)) tags.add(label);
  }
  return [...tags];
}
