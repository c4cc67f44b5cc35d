// Turns the indicators and sightings that partners send into sensor events. Each object is accepted or refused alone.

import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EventSource, SensorEvent } from '../../domain/indicator/sensor-event.ts';
import type { Instant } from '../../domain/instant.ts';
import { moreRestrictive } from '../../domain/tlp.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { StixContext } from '../objects/stix-object.ts';
import type { PatternTerm } from '../pattern/pattern-reader.ts';
import { ja3Path } from '../pattern/stix-pattern.ts';
import { excerpt, StixFault } from '../stix-fault.ts';
import { parseStixTime, type StixObject } from './stix-members.ts';
import {
  readIndicator,
  readSighting,
  type SubmittedIndicator,
  type SubmittedSighting,
} from './submitted-object.ts';

/** The outcome for one object. */
export type ObjectOutcome = {
  /** As sent, cut to the length of a STIX id; undefined without one. */
  readonly id: string | undefined;
  /** `modified`, or else `created` (TAXII 2.1 §4.3.1); undefined without either. */
  readonly version: string | undefined;
} & (
  | { readonly events: readonly SensorEvent[] }
  /** Why the object is refused, for the sender. */
  | { readonly failure: string }
);

export interface SubmissionContext {
  readonly stix: StixContext;
  /** The sender. Its reliability is multiplied by the confidence of each object. */
  readonly source: EventSource;
  readonly now: Instant;
  /** A published indicator as the sender sees it; undefined without one. */
  readonly knownIndicator: (stixId: string) => Promise<KnownIndicator | undefined>;
  /** The marking of an object that has none. */
  readonly defaultTlp: TlpMarking;
}

/** The observable of an indicator, and its marking. */
export interface KnownIndicator extends PatternTerm {
  readonly tlp: TlpMarking;
}

/** A type of at most 250 characters (STIX 2.1 §2.9, §3.1), two hyphens and a UUID. */
const ID_LENGTH_LIMIT = 288;

/** Events of one envelope. Short patterns can expand into many events. */
const EVENT_LIMIT = 20_000;

/** After this many characters of patterns, the event loop gets a turn. Each object counts as OBJECT_WEIGHT more. */
const TURN = 250_000;
const OBJECT_WEIGHT = 500;

/** The state of reading one envelope. Whatever several objects need is looked up once. */
interface Envelope {
  readonly context: SubmissionContext;
  /** By id, the newest version of each. */
  readonly indicators: ReadonlyMap<unknown, StixObject>;
  /** The indicators that were read already. */
  readonly read: Map<StixObject, SubmittedIndicator | StixFault>;
  readonly known: Map<string, KnownIndicator | undefined>;
  /** How many more events the envelope may have. */
  eventsLeft: number;
}

/** @param objects of an envelope, in its order. A sighting may precede its indicator. */
export async function readSubmission(
  objects: readonly StixObject[],
  context: SubmissionContext,
): Promise<readonly ObjectOutcome[]> {
  const envelope: Envelope = {
    context,
    indicators: newestIndicators(objects),
    read: new Map(),
    known: new Map(),
    eventsLeft: EVENT_LIMIT,
  };
  const outcomes: ObjectOutcome[] = [];
  // Parsing the envelope took one turn already, so the first object gets a new one.
  let since = TURN;
  for (const object of objects) {
    since += weightOf(object);
    if (since >= TURN) {
      since = 0;
      await setImmediate();
    }
    outcomes.push(await readObject(object, envelope));
  }
  return outcomes;
}

function weightOf({ pattern }: StixObject): number {
  return OBJECT_WEIGHT + (typeof pattern === 'string' ? pattern.length : 0);
}

/** The version with the latest `modified` is the newest. Of equal ones, the last in the envelope counts. */
function newestIndicators(objects: readonly StixObject[]): ReadonlyMap<unknown, StixObject> {
  const newest = new Map<unknown, StixObject>();
  for (const object of objects) {
    if (object.type !== 'indicator') continue;
    const other = newest.get(object.id);
    if (other === undefined || modifiedOf(object) >= modifiedOf(other)) newest.set(object.id, object);
  }
  return newest;
}

/** Sorts as text in the order of time. An invalid timestamp sorts first. */
function modifiedOf({ modified }: StixObject): string {
  const time = typeof modified === 'string' ? parseStixTime(modified) : undefined;
  return time?.exact ?? '';
}

async function readObject(object: StixObject, envelope: Envelope): Promise<ObjectOutcome> {
  const named = { id: idOf(object), version: versionOf(object) };
  try {
    const events = await eventsOf(object, envelope);
    envelope.eventsLeft -= events.length;
    return { ...named, events };
  } catch (error) {
    if (!(error instanceof StixFault)) throw error;
    return { ...named, failure: error.message };
  }
}

async function eventsOf(object: StixObject, envelope: Envelope): Promise<readonly SensorEvent[]> {
  switch (object.type) {
    case 'indicator': {
      const indicator = indicatorFrom(object, envelope);
      if (indicator instanceof StixFault) throw indicator;
      return indicatorEvents(indicator, envelope);
    }
    case 'sighting':
      return sightingEvents(readSighting(object), envelope);
    default:
      throw new StixFault('only indicators and sightings are accepted');
  }
}

/** Reads an indicator once, even if many sightings refer to it. */
function indicatorFrom(object: StixObject, { read, context }: Envelope): SubmittedIndicator | StixFault {
  const known = read.get(object) ?? readOrRefuse(object, context);
  read.set(object, known);
  return known;
}

function readOrRefuse(object: StixObject, { stix, now }: SubmissionContext): SubmittedIndicator | StixFault {
  try {
    return readIndicator(object, ja3Path(stix.extensionId), now);
  } catch (error) {
    if (error instanceof StixFault) return error;
    throw error;
  }
}

/** Two events are the same if object, version and content are. Senders may reuse a version for other content. */
function indicatorEvents(indicator: SubmittedIndicator, envelope: Envelope): readonly SensorEvent[] {
  const { id, version, tlp, confidence, tags, categories, heldAt, terms } = indicator;
  const content = hash('sha256', JSON.stringify([tlp, confidence, tags, categories]), 'hex');
  return eventsFor(terms, envelope, ({ type, value }) => ({
    ...claimsOf(indicator, envelope),
    eventId: `${id}/${version.exact}/${content}/${type}:${value}`,
    observedAt: heldAt,
    count: 1n,
  }));
}

/** A sighting counts once, by its id. A later version does not state whether its count includes the earlier one. */
async function sightingEvents(
  sighting: SubmittedSighting,
  envelope: Envelope,
): Promise<readonly SensorEvent[]> {
  const { terms, tlp } = await observablesOf(sighting, envelope);
  return eventsFor(terms, envelope, ({ type, value }) => ({
    ...claimsOf(sighting, envelope),
    // A sighting is at least as restricted as its indicator.
    tlp: moreRestrictive(sighting.tlp, tlp),
    eventId: `${sighting.id}/${type}:${value}`,
    observedAt: sighting.seenAt,
    count: BigInt(sighting.count),
  }));
}

/** The values that were sighted, and the least restrictive marking that the report of them may have. */
async function observablesOf(
  { sightingOf, tlp }: SubmittedSighting,
  envelope: Envelope,
): Promise<{ readonly terms: readonly PatternTerm[]; readonly tlp: TlpMarking }> {
  const sent = envelope.indicators.get(sightingOf);
  if (sent !== undefined) {
    const indicator = indicatorFrom(sent, envelope);
    if (indicator instanceof StixFault)
      throw new StixFault(`its indicator was refused: ${indicator.message}`);
    return indicator;
  }
  const { known, context } = envelope;
  if (!known.has(sightingOf)) known.set(sightingOf, await context.knownIndicator(sightingOf));
  const indicator = known.get(sightingOf);
  if (indicator === undefined)
    throw new StixFault('sighting_of_ref is neither a known indicator nor one of this envelope');
  // The sender knows the value from this indicator. A less restrictive report would show it to others.
  const least = tlp === 'UNSPECIFIED' ? moreRestrictive(context.defaultTlp, indicator.tlp) : indicator.tlp;
  return { terms: [indicator], tlp: least };
}

type Observed = Pick<
  SensorEvent,
  'eventId' | 'observedAt' | 'count' | 'tlp' | 'source' | 'tags' | 'categories'
>;

/** @throws StixFault if the envelope would have more than EVENT_LIMIT events. */
function eventsFor(
  terms: readonly PatternTerm[],
  { eventsLeft }: Envelope,
  observe: (term: PatternTerm) => Observed,
): readonly SensorEvent[] {
  if (terms.length > eventsLeft)
    throw new StixFault(`the envelope has more than ${EVENT_LIMIT} values: send the rest in another one`);
  return terms.map((term) => ({
    ...observe(term),
    indicatorType: term.type,
    value: term.value,
    // No sensor saw it, so a report adds no sensor-day to the score.
    sensorId: '',
    sensorType: 'UNSPECIFIED',
    protocol: 'UNSPECIFIED',
    severity: 'UNSPECIFIED',
    labels: [],
    evidence: {},
  }));
}

function claimsOf(
  { tlp, confidence, tags, categories }: SubmittedIndicator | SubmittedSighting,
  { context: { source } }: Envelope,
): Pick<SensorEvent, 'tlp' | 'source' | 'tags' | 'categories'> {
  return { tlp, source: { ...source, reliability: source.reliability * confidence }, tags, categories };
}

function idOf({ id }: StixObject): string | undefined {
  return typeof id === 'string' && id !== '' ? excerpt(id, ID_LENGTH_LIMIT) : undefined;
}

/** An invalid timestamp is not a version. */
function versionOf({ modified, created }: StixObject): string | undefined {
  return [modified, created].find(
    (text): text is string => typeof text === 'string' && parseStixTime(text) !== undefined,
  );
}
