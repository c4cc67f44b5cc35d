// What one indicator or sighting that somebody sent says, judged alone.

import { CLOCK_SKEW_LIMIT, HOUR, type Instant } from '../../domain/instant.ts';
import { moreRestrictive } from '../../domain/tlp.ts';
import type { ThreatCategory, TlpMarking } from '../../domain/vocabulary.ts';
import { SIGHTING_COUNT_LIMIT } from '../objects/stix-sighting.ts';
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

/** What both kinds of objects say. */
interface SubmittedObject {
  readonly id: string;
  /** `modified`. */
  readonly version: StixTime;
  /** UNSPECIFIED without any marking. */
  readonly tlp: TlpMarking;
  /** 0 to 1; 1 for an object that does not say. */
  readonly confidence: number;
  readonly tags: readonly string[];
  /** Those that it names. */
  readonly categories: readonly ThreatCategory[];
}

export interface SubmittedIndicator extends SubmittedObject {
  /** The values of its pattern, each once. */
  readonly terms: readonly PatternTerm[];
  /** When it was last said to hold, in milliseconds: when it was modified, or ended before that. */
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

/** @throws StixFault, also for what begins to hold only long after `now`. */
export function readIndicator(object: StixObject, ja3Path: string, now: Instant): SubmittedIndicator {
  const members = membersOf(object, INDICATOR);
  const common = readCommon(members);
  const validFrom = requiredTimeOf(members, 'valid_from');
  const validUntil = timeOf(members, 'valid_until');
  if (validUntil !== undefined && validUntil.exact <= validFrom.exact)
    throw new StixFault('valid_until is not later than valid_from');
  if (validFrom.millis > now + CLOCK_SKEW_LIMIT)
    throw new StixFault(`its valid_from lies more than ${CLOCK_SKEW_LIMIT / HOUR} hours ahead`);
  if (members.pattern_type !== 'stix') throw new StixFault('only patterns of type stix are understood');
  if (members.indicator_types?.includes('benign') === true)
    throw new StixFault('what is benign is not a threat');
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
  if (specVersion !== '2.1') throw new StixFault('only STIX 2.1 is taken');
  const created = requiredTimeOf(members, 'created');
  const version = requiredTimeOf(members, 'modified');
  if (version.exact < created.exact) throw new StixFault('modified lies before created');
  if (members.revoked === true) throw new StixFault('a report is not taken back by revoking its object');
  return { id, version, tlp: tlpOf(members), confidence: confidenceOf(members), tags: tagsOf(members) };
}

/** A marking that we cannot keep is a reason not to take the object. Without any, the configured default holds. */
function tlpOf({ granular_markings: granular, object_marking_refs: refs = [] }: CommonMembers): TlpMarking {
  if (granular !== undefined) throw new StixFault('granular markings are not understood');
  let tlp: TlpMarking = 'UNSPECIFIED';
  for (const ref of refs) {
    const marking = markingOf(ref);
    if (marking === undefined) throw new StixFault(`the marking ${excerpt(ref, 100)} is not one of TLP`);
    tlp = moreRestrictive(tlp, marking);
  }
  return tlp;
}

/** An object that does not say is taken at the sender's own reliability. */
function confidenceOf({ confidence = 100 }: CommonMembers): number {
  if (!Number.isInteger(confidence) || confidence < 0 || confidence > 100)
    throw new StixFault('confidence is not a whole number from 0 to 100');
  if (confidence === 0) throw new StixFault('confidence 0 says that there is none (STIX 2.1 Appendix A)');
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
