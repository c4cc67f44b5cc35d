// STIX objects that partners send, as sensor events: indicators and sightings. Every object is judged alone.

import type { EventSource, SensorEvent } from '../domain/sensor-event.ts';
import { moreRestrictive } from '../domain/tlp.ts';
import type { IndicatorType, TlpMarking } from '../domain/vocabulary.ts';
import { type PatternTerm, readPattern } from './pattern-reader.ts';
import type { StixContext } from './stix-ids.ts';
import { ja3Path } from './stix-pattern.ts';
import { parseTimestamp } from './timestamp.ts';
import { markingOf } from './tlp-markings.ts';

/** An object of which nothing is known yet. */
export type StixObject = Readonly<Record<string, unknown>>;

/** What one object says. */
export type SubmittedObject = {
  readonly id: string;
  /** `modified`, or what stands for it (TAXII 2.1 §4.3.1). */
  readonly version: string;
} & (
  | { readonly events: readonly SensorEvent[] }
  /** Why nothing is taken from it, for whoever sent it. */
  | { readonly failure: string }
);

export interface SubmissionContext {
  readonly stix: StixContext;
  /** Whom the reports come from; a source's word counts by the confidence it gives. */
  readonly source: EventSource;
  /** The observable of a published indicator that the sender may know; undefined when there is none. */
  readonly knownIndicator: (stixId: string) => Promise<PatternTerm | undefined>;
}

const STIX_ID = /^[a-z][a-z0-9-]+--[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TAG_LIMIT = 50;
const TAG_LENGTH_LIMIT = 100;
const COUNT_LIMIT = 999_999_999;

/** Events of one envelope: patterns can say in few bytes what takes many to keep. */
const EVENT_LIMIT = 50_000;

/** Thrown while one object is read, and caught with it. */
class Failure extends Error {}

/** An envelope that is being read. */
interface Envelope {
  /** By id; of several versions the last. */
  readonly indicators: ReadonlyMap<string, StixObject>;
  readonly context: SubmissionContext;
  /** How many events may still come of it. */
  eventsLeft: number;
}

/** @param objects of an envelope, in its order; sightings may come before the indicators they are about. */
export async function readSubmission(
  objects: readonly StixObject[],
  context: SubmissionContext,
): Promise<readonly SubmittedObject[]> {
  const indicators = new Map(
    objects.filter(({ type }) => type === 'indicator').map((object) => [textOf(object.id), object]),
  );
  const envelope: Envelope = { indicators, context, eventsLeft: EVENT_LIMIT };
  const submitted: SubmittedObject[] = [];
  for (const object of objects) submitted.push(await readObject(object, envelope));
  return submitted;
}

async function readObject(object: StixObject, envelope: Envelope): Promise<SubmittedObject> {
  const id = textOf(object.id);
  const version = textOf(object.modified) || textOf(object.created);
  try {
    if (envelope.eventsLeft <= 0) throw new Failure(`the envelope has more than ${EVENT_LIMIT} values`);
    requireVersioned(object, id);
    const events =
      object.type === 'indicator'
        ? indicatorEvents(object, envelope)
        : await sightingEvents(object, envelope);
    envelope.eventsLeft -= events.length;
    return { id, version, events };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { id, version, failure: error.message };
  }
}

function requireVersioned(object: StixObject, id: string): void {
  if (!STIX_ID.test(id) || !id.startsWith(`${textOf(object.type)}--`))
    throw new Failure('the id is not a STIX id');
  if (object.type !== 'indicator' && object.type !== 'sighting') {
    throw new Failure('only indicators and sightings are taken');
  }
  if (object.spec_version !== '2.1') throw new Failure('only STIX 2.1 is taken');
  instantOf(object, 'created');
  instantOf(object, 'modified');
  if (object.revoked === true) throw new Failure('a report is not taken back by revoking its object');
}

/** What an indicator says: the values of its pattern. */
function termsOf(indicator: StixObject, { stix }: SubmissionContext): readonly PatternTerm[] {
  if (indicator.pattern_type !== 'stix') throw new Failure('only patterns of type stix are understood');
  if (listOf(indicator.indicator_types).includes('benign'))
    throw new Failure('what is benign is not a threat');
  const read = readPattern(textOf(indicator.pattern), ja3Path(stix));
  if (!read.ok) throw new Failure(read.reason);
  return read.terms;
}

function indicatorEvents(object: StixObject, { context }: Envelope): readonly SensorEvent[] {
  const observedAt = instantOf(object, 'modified');
  const tlp = tlpOf(object);
  return termsOf(object, context).map((term, index) =>
    eventOf(object, context, term, {
      eventId: `${textOf(object.id)}/${observedAt}/${index}`,
      observedAt,
      count: 1n,
      tlp,
    }),
  );
}

/** A sighting counts once, by its id: whether a later version counts on from an earlier one, it does not say. */
async function sightingEvents(object: StixObject, envelope: Envelope): Promise<readonly SensorEvent[]> {
  const { context } = envelope;
  const count = object.count ?? 1;
  if (!Number.isInteger(count) || Number(count) < 1 || Number(count) > COUNT_LIMIT) {
    throw new Failure(`count is not a whole number from 1 to ${COUNT_LIMIT}`);
  }
  const time =
    ['last_seen', 'first_seen', 'modified'].find((name) => object[name] !== undefined) ?? 'modified';
  const observed = { observedAt: instantOf(object, time), count: BigInt(Number(count)) };
  const { terms, tlp } = await sightedBy(object, envelope);
  return terms.map((term, index) =>
    eventOf(object, context, term, { ...observed, eventId: `${textOf(object.id)}/${index}`, tlp }),
  );
}

/** What was sighted, under the markings of both: a sighting gives nothing away that its indicator keeps. */
async function sightedBy(
  object: StixObject,
  { indicators, context }: Envelope,
): Promise<{ readonly terms: readonly PatternTerm[]; readonly tlp: TlpMarking }> {
  const id = textOf(object.sighting_of_ref);
  const sent = indicators.get(id);
  if (sent !== undefined) {
    requireVersioned(sent, id);
    return { terms: termsOf(sent, context), tlp: moreRestrictive(tlpOf(object), tlpOf(sent)) };
  }
  const known = await context.knownIndicator(id);
  if (known === undefined)
    throw new Failure('sighting_of_ref is no indicator that is known here or sent along');
  return { terms: [known], tlp: tlpOf(object) };
}

function eventOf(
  object: StixObject,
  { source }: SubmissionContext,
  { type, value }: { readonly type: IndicatorType; readonly value: string },
  observed: Pick<SensorEvent, 'eventId' | 'observedAt' | 'count' | 'tlp'>,
): SensorEvent {
  return {
    ...observed,
    // Nobody's sensor: a report adds no sensor-day to the score.
    sensorId: '',
    sensorType: 'UNSPECIFIED',
    protocol: 'UNSPECIFIED',
    indicatorType: type,
    value,
    source: { ...source, reliability: source.reliability * confidenceOf(object) },
    categories: [],
    severity: 'UNSPECIFIED',
    tags: tagsOf(object),
    labels: [],
    evidence: {},
  };
}

/** 0 to 1; STIX Appendix A: 0 is "none", and an object that does not say is taken at the sender's own reliability. */
function confidenceOf({ confidence }: StixObject): number {
  if (confidence === undefined) return 1;
  if (typeof confidence === 'number' && confidence > 0 && confidence <= 100) return confidence / 100;
  throw new Failure('confidence is not a number from 1 to 100');
}

function tagsOf({ labels }: StixObject): readonly string[] {
  const tags = listOf(labels).filter(
    (label) => label !== '' && label.length <= TAG_LENGTH_LIMIT && !/\p{Cc}/u.test(label),
  );
  return [...new Set(tags)].slice(0, TAG_LIMIT);
}

/** A marking that we cannot keep is a reason not to take the object. Without any, the configured default holds. */
function tlpOf(object: StixObject): TlpMarking {
  if (object.granular_markings !== undefined) throw new Failure('granular markings are not understood');
  let tlp: TlpMarking = 'UNSPECIFIED';
  for (const ref of listOf(object.object_marking_refs)) {
    const marking = markingOf(ref);
    if (marking === undefined) throw new Failure(`the marking ${ref.slice(0, 100)} is not one of TLP`);
    tlp = moreRestrictive(tlp, marking);
  }
  return tlp;
}

/** Milliseconds. */
function instantOf(object: StixObject, member: string): number {
  const micros = parseTimestamp(textOf(object[member]));
  if (micros === undefined) throw new Failure(`${member} is not a timestamp`);
  return Math.floor(micros / 1_000);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
