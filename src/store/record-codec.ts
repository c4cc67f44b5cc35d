// A record as the text of a column: JSON, in which Sighting.count, the only bigint of the model, is a decimal string.

import type { IndicatorRecord, Sighting } from '../domain/indicator/indicator.ts';

type StoredSighting = Omit<Sighting, 'count'> & { readonly count: string };

export function encodeRecord(record: IndicatorRecord): string {
  const { indicator, ...rest } = record;
  const sightings: StoredSighting[] = indicator.sightings.map((sighting) => ({
    ...sighting,
    count: sighting.count.toString(),
  }));
  return JSON.stringify({ ...rest, indicator: { ...indicator, sightings } });
}

/** @param text output of encodeRecord. It is trusted. */
export function decodeRecord(text: string): IndicatorRecord {
  const record = JSON.parse(text);
  const sightings: Sighting[] = record.indicator.sightings;
  for (let index = 0; index < sightings.length; index++) {
    const sighting = sightings[index];
    if (sighting !== undefined) sightings[index] = { ...sighting, count: BigInt(sighting.count) };
  }
  return record;
}
