// What an observation adds to the store. An estimate by rule, and not a measurement: it has to be known before anything
// is written, and it has to be the same in every run.

import { dayOf } from '../instant.ts';
import { doublingsOf } from '../score/corroboration.ts';
import type { Indicator, IndicatorRecord } from './indicator.ts';
import type { Observation } from './sensor-event.ts';

export interface Growth {
  /** Values that the store did not hold. */
  readonly values: number;
  readonly bytes: number;
}

/** The memory of an event id. It is forgotten after 90 days. */
const EVENT_BYTES = 64;
/** Measured: record, document, search index, two versions in the feed, a relationship and a sighting. */
const VALUE_BYTES = 13_500;
/** Measured: one further version of an indicator in the feed with a sighting. */
const VERSION_BYTES = 3_500;
/** How often the store holds a text of an event: in the record, in the document and in two versions in the feed. */
const COPIES = 4;
/** The search index holds the trigrams of a tag as well. */
const TAG_COPIES = 8;

/**
 * The growth by an observation of a new value.
 * @param evidence bytes by which the kept evidence grows.
 */
export function growthByNew({ value, tags, labels, source }: Observation, evidence: number): Growth {
  const text = textOf({ value, tags, labels, sources: [source] });
  return { values: 1, bytes: EVENT_BYTES + VALUE_BYTES + text + evidence };
}

/**
 * The growth by an observation of a known value.
 * @param after `before` with the observation merged.
 * @param evidence as for growthByNew.
 */
export function growthByKnown(
  before: IndicatorRecord,
  after: IndicatorRecord,
  observation: Observation,
  evidence: number,
): Growth {
  if (!willPublish(before, after, observation)) return { values: 0, bytes: EVENT_BYTES + evidence };
  const text = Math.max(0, textOf(after.indicator) - textOf(before.indicator));
  return { values: 0, bytes: EVENT_BYTES + VERSION_BYTES + text + evidence };
}

type ChosenText = Pick<Indicator, 'value' | 'tags' | 'labels'> & {
  readonly sources: readonly { readonly id: string; readonly name: string }[];
};

/** Whether the feed gets a new version of the indicator or a new sighting. */
function willPublish(before: IndicatorRecord, after: IndicatorRecord, observation: Observation): boolean {
  const [a, b] = [before.indicator, after.indicator];
  return (
    dayOf(a.lastSeen) !== dayOf(b.lastSeen) ||
    dayOf(a.firstSeen) !== dayOf(b.firstSeen) ||
    a.tags.length !== b.tags.length ||
    a.labels.length !== b.labels.length ||
    a.sources.length !== b.sources.length ||
    a.categories.length !== b.categories.length ||
    a.severity !== b.severity ||
    a.tlp !== b.tlp ||
    a.protocol !== b.protocol ||
    a.sensorType !== b.sensorType ||
    before.evidence.sensorDays.length !== after.evidence.sensorDays.length ||
    before.evidence.behaviours.length !== after.evidence.behaviours.length ||
    doublingsOf(a.sightings) !== doublingsOf(b.sightings) ||
    isNewSighting(a, observation)
  );
}

function isNewSighting({ sightings }: Indicator, { source, observedAt }: Observation): boolean {
  const day = dayOf(observedAt);
  return !sightings.some((one) => one.sourceId === source.id && dayOf(one.observedAt) === day);
}

/** Whether the observation only adds to a count. */
export function isRepeat({ values, bytes }: Growth): boolean {
  return values === 0 && bytes <= EVENT_BYTES;
}

/** The bytes of the texts that reporters chose, with all their copies. */
function textOf({ value, tags, labels, sources }: ChosenText): number {
  let bytes = value.length * COPIES;
  for (const tag of tags) bytes += tag.length * TAG_COPIES;
  for (const label of labels) bytes += (label.key.length + label.value.length) * COPIES;
  for (const { id, name } of sources) bytes += (id.length + name.length) * COPIES;
  return bytes;
}
