// Records, feed entries and criteria for tests of stores: complete, deterministic, changed where a test cares.

import { type IndicatorFilter, MATCH_ALL } from '../../domain/filter.ts';
import { indicatorId } from '../../domain/indicator/identity.ts';
import type { Enrichment, Indicator, IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { toRfc3339 } from '../../domain/instant.ts';
import { parseTextQuery } from '../../domain/text-query.ts';
import type { IndicatorType, TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend, IndicatorWrite, SearchCriteria, Stores } from '../stores.ts';

/** The instant at which most tests take place. */
export const NOW = Date.UTC(2026, 2, 14, 9, 26, 53, 589);

const SECRET = Buffer.alloc(32, 'fixture');

export function idOf(value: string, type: IndicatorType = 'DOMAIN'): string {
  return indicatorId(SECRET, type, value);
}

/** The id follows from type and value, unless it is given. */
export function anIndicator(changes: Partial<Indicator> = {}): Indicator {
  const type = changes.type ?? 'DOMAIN';
  const value = changes.value ?? 'c2.example';
  return {
    id: idOf(value, type),
    type,
    value,
    categories: [],
    severity: 'LOW',
    confidenceScore: 50,
    tlp: 'GREEN',
    state: 'RAW',
    firstSeen: NOW,
    lastSeen: NOW,
    sources: [],
    sightings: [],
    tags: [],
    labels: [],
    createdAt: NOW,
    updatedAt: NOW,
    protocol: 'UNSPECIFIED',
    sensorType: 'UNSPECIFIED',
    ...changes,
  };
}

export function aRecord(changes: Partial<Indicator> = {}): IndicatorRecord {
  const indicator = anIndicator(changes);
  return {
    indicator,
    evidence: {
      sources: [],
      sensorDays: [],
      behaviours: [],
      lead: {
        intent: 'none',
        severity: indicator.severity,
        observedAt: indicator.lastSeen,
        sourceId: 'sensor-1',
        protocol: indicator.protocol,
        sensorType: indicator.sensorType,
      },
    },
    history: [{ from: 'UNSPECIFIED', to: 'RAW', at: indicator.createdAt, actor: 'pipeline' }],
  };
}

/** Stands in for the ProtoJSON of the contract, which a store keeps and gives back as it is. */
export function documentOf(indicator: Indicator): string {
  return JSON.stringify(indicator, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

export function aWrite(changes: Partial<Indicator> = {}): IndicatorWrite {
  const record = aRecord(changes);
  return { record, document: documentOf(record.indicator) };
}

/** Saves one indicator after the other, so that the last one is the newest. */
export function save(stores: Stores, indicators: readonly Partial<Indicator>[]): Promise<void> {
  return stores.write((tx) => tx.save(indicators.map(aWrite)));
}

export function aSummary(aiSummary: string): Enrichment {
  return { malwareFamilies: [], attackTechniques: [], aiSummary, enrichedAt: NOW };
}

export function criteriaOf(
  filter: Partial<IndicatorFilter> = {},
  query = '',
  ceiling: TlpMarking = 'RED',
): SearchCriteria {
  return { filter: { ...MATCH_ALL, ...filter }, terms: parseTextQuery(query), ceiling };
}

/** The value of the indicator in a document of documentOf. */
export function valueIn(document: string): string {
  return JSON.parse(document).value;
}

/** A version of the object `indicator--<key>`, modified `age` milliseconds after NOW. */
export function aVersion(key: string, age: number, changes: Partial<FeedAppend> = {}): FeedAppend {
  const modified = NOW + age;
  const id = `indicator--${idOf(key)}`;
  const version = toRfc3339(modified);
  return {
    id,
    type: 'indicator',
    version,
    modified,
    tlp: 'GREEN',
    object: JSON.stringify({ id, modified: version, name: key }),
    ...changes,
  };
}
